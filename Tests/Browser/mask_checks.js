// Compares the mask editor's pure functions with goldens/mask_goldens.json; returns {checks,
// failures}.
export async function check(goldens, base) {
  const runs = await import(base + "run-lengths.js");
  const morphology = await import(base + "morphology.js");
  const { polygonMask } = await import(base + "polygon.js");
  const { forEachStrokeColumn } = await import(base + "brush.js");
  const { floodMask, mapLimit, thresholdMask, transposed } = await import(base + "flood.js");
  const { Objects, imageLabels, madeTarget } = await import(base + "objects.js");
  const failures = [];
  let checks = 0;
  const same = (what, actual, expected) => {
    checks += 1;
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      failures.push(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
    }
  };
  goldens.masks.forEach((golden, index) => {
    const { width, height } = golden;
    const read = (text) => runs.maskFromCompressed(width, height, text);
    const mask = read(golden.mask);
    const other = read(golden.other);
    const is = (what, actual, expected) => same(`mask ${index} ${what}`, runs.compressed(actual), expected);
    same(`mask ${index} counts`, runs.countsOf(mask), golden.counts);
    same(`mask ${index} area`, runs.areaOf(mask), golden.area);
    is("as read", mask, golden.mask);
    is("from counts", runs.maskFromCounts(width, height, golden.counts), golden.mask);
    is("over a bitmap", runs.maskFromBits(runs.bitsOf(mask), width, height), golden.mask);
    is("union", runs.union(mask, other), golden.union);
    is("intersection", runs.intersection(mask, other), golden.intersection);
    same(`mask ${index} shared`, runs.sharedArea(mask, other), runs.areaOf(read(golden.intersection)));
    is("difference", runs.subtracting(mask, other), golden.difference);
    is("either", runs.symmetricDifference(mask, other), golden.either);
    is("inverted", runs.inverted(mask), golden.inverted);
    is("filled", morphology.fillingHoles(mask), golden.filled);
    same(`mask ${index} parts`, morphology.components(mask).map(runs.compressed), golden.parts);
    if (golden.parts.length > 0) is("largest", morphology.largestComponent(mask), golden.parts[0]);
    for (const step of golden.steps) {
      is(`eroded ${step.steps}`, morphology.eroded(mask, step.steps), step.eroded);
      is(`dilated ${step.steps}`, morphology.dilated(mask, step.steps), step.dilated);
      is(`opened ${step.steps}`, morphology.opened(mask, step.steps), step.opened);
      is(`closed ${step.steps}`, morphology.closed(mask, step.steps), step.closed);
    }
    for (let x = 0; x < width; x++) {
      for (let y = 0; y < height; y++) {
        if (runs.contains(mask, x, y) !== (runs.bitsOf(mask)[x * height + y] === 1)) {
          failures.push(`mask ${index}: contains(${x}, ${y})`);
        }
      }
    }
  });
  const told = [
    { target: "0", category: "wet", shape: "tag" }, { target: "1", category: "car", shape: "box", box: [1, 1, 2, 2] },
    { target: "2", category: "dark", shape: "tag" }, { target: "3", category: "dark", shape: "tag" },
  ];
  same("objects without labels", new Objects(told, 8, 8).items.map((item) => item.target), ["1"]);
  same("labels", imageLabels({ label: null, objects: told }), ["wet", "dark"]);
  same("labels and tags", imageLabels({ label: "dark", objects: told }), ["dark", "wet"]);
  same("no labels", imageLabels({ label: null, objects: null }), []);
  goldens.edits.forEach((golden, index) => {
    const { width, height } = golden;
    const objects = new Objects(golden.before.map((counts, number) => (
      { target: `${number}`, category: "a", crowd: number === golden.crowd, counts })), width, height);
    const before = objects.items.map((item) => runs.compressed(item.mask));
    const delta = runs.maskFromCompressed(width, height, golden.delta);
    const read = (target) => {
      const item = objects.find(target);
      return item ? runs.compressed(item.mask) : null;
    };
    const pieces = objects.edit("a", delta, "u");
    golden.after.forEach((mask, number) => same(`edit ${index}, object ${number}`, read(`${number}`), mask));
    golden.new.forEach((mask, number) => same(`edit ${index}, new ${number}`, read(madeTarget("u", number)), mask));
    const count = golden.after.filter((mask) => mask !== null).length + golden.new.length;
    same(`edit ${index}, objects`, objects.items.length, count);
    objects.put(pieces, "before");
    same(`edit ${index}, back`, before.map((_, number) => read(`${number}`)), before);
  });
  goldens.polygons.forEach((golden, index) => {
    const mask = polygonMask(golden.points, golden.width, golden.height);
    same(`polygon ${index}`, runs.compressed(mask), golden.mask);
  });
  goldens.strokes.forEach((golden, index) => {
    const { width, height } = golden;
    const bits = new Uint8Array(width * height);
    forEachStrokeColumn(golden.from, golden.to, golden.diameter, width, height, (x, top, bottom) => {
      bits.fill(1, x * height + top, x * height + bottom);
    });
    same(`stroke ${index}`, runs.compressed(runs.maskFromBits(bits, width, height)), golden.mask);
  });
  goldens.floods.forEach((golden, index) => {
    const { width, height } = golden;
    const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
    golden.rgb.forEach((value, place) => { rgba[4 * Math.floor(place / 3) + (place % 3)] = value; });
    const bits = floodMask(rgba, width, height, golden.x, golden.y, golden.tolerance);
    same(`flood ${index}`, runs.compressed(runs.maskFromBits(bits, width, height)), golden.mask);
  });
  goldens.maps.forEach((golden, index) => {
    const { width, height } = golden;
    const turned = transposed(Uint8Array.from(golden.bytes), width, height);
    const mask = thresholdMask(turned, width, height, mapLimit(golden.threshold));
    same(`map ${index}`, runs.compressed(mask), golden.mask);
  });
  const bad = [["", 3, 3], ["!", 3, 3], ["4", 3, 3], ["o", 3, 3], ["90909", 3, 3]];
  for (const [text, width, height] of bad) {
    checks += 1;
    try {
      runs.maskFromCompressed(width, height, text);
      failures.push(`"${text}" is no mask of ${width} × ${height}`);
    } catch (error) {
      if (!(error instanceof RangeError)) failures.push(`"${text}": ${error}`);
    }
  }
  return { checks, failures };
}
