"""A mask of 4,000 × 3,000 pixels for the editor alone."""

# A mask with a ragged outline (about 20,000 runs) and forty further objects.
TRUTH = """async () => {
  const { compressed, maskFromBits } = await import("/app/run-lengths.js");
  const [width, height] = [4000, 3000];
  const bits = new Uint8Array(width * height);
  for (let x = 0; x < width; x++) for (let y = 0; y < height; y++) {
    const wave = 900 + 60 * Math.sin(x / 9) + 60 * Math.cos(y / 7);
    const far = Math.hypot(x - 2000, (y - 1500) * 1.2);
    bits[x * height + y] = far < wave && (x + y) % 97 !== 0 ? 1 : 0;
  }
  const objects = [{ target: "big", category: "disc", crowd: false, box: [0, 0, width, height],
    counts: compressed(maskFromBits(bits, width, height)), changed: false }];
  for (let index = 0; index < 40; index++) {
    bits.fill(0);
    const [left, top] = [90 * index, 60 * index];
    for (let x = left; x < left + 300; x++) bits.fill(1, x * height + top, x * height + top + 200);
    objects.push({ target: `o${index}`, category: "ring", crowd: false, box: [left, top, 300, 200],
      counts: compressed(maskFromBits(bits, width, height)), changed: false });
  }
  const start = performance.now();
  lab.canvas.show({ objects });
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - start;
}"""
