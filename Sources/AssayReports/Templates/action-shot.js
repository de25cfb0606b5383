(() => {
  const shot = document.querySelector(".shot");
  const boxes = [...document.querySelectorAll(".frame input")];
  if (!shot || boxes.length === 0) return;
  if (shot.dataset.least === "") {
    for (const box of boxes) box.disabled = true;
    return;
  }
  const least = Number(shot.dataset.least);
  const canvas = shot.querySelector("canvas");
  const image = shot.querySelector("img");
  const command = shot.querySelector(".shot-command");
  const help = shot.querySelector(".shot-help");
  const initial = boxes.map((box) => box.checked).join();

  const picture = (box, name) => box.closest(".frame").querySelector(`.${name}`);

  // The subject of a frame on a canvas of its own: its opacity is the matte's gray.
  const subject = (box, width, height) => {
    const layer = new OffscreenCanvas(width, height);
    const context = layer.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture(box, "matte"), 0, 0, width, height);
    const matte = context.getImageData(0, 0, width, height).data;
    context.drawImage(picture(box, "photo"), 0, 0, width, height);
    const pixels = context.getImageData(0, 0, width, height);
    for (let place = 3; place < matte.length; place += 4) pixels.data[place] = matte[place - 3];
    context.putImageData(pixels, 0, 0);
    return layer;
  };

  const quoted = (text) => (/^[\w.,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

  const draw = () => {
    const chosen = boxes.filter((box) => box.checked);
    const isInitial = boxes.map((box) => box.checked).join() === initial;
    image.hidden = !isInitial && chosen.length > 0;
    canvas.hidden = !image.hidden;
    command.hidden = canvas.hidden;
    help.textContent =
      chosen.length === 0
        ? "No frame is chosen; the picture above is the one that was written."
        : isInitial
          ? "Choose other frames below: the picture changes here. To write it, run the command."
          : `${chosen.length} ${chosen.length === 1 ? "frame" : "frames"} chosen by hand. To write the picture in full size:`;
    if (canvas.hidden) return;
    const main = picture(chosen.at(-1), "photo");
    const { naturalWidth: width, naturalHeight: height } = main;
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context.drawImage(main, 0, 0);
    chosen.forEach((box, rank) => {
      context.globalAlpha = chosen.length > 1 ? least + ((1 - least) * rank) / (chosen.length - 1) : 1;
      context.drawImage(subject(box, width, height), 0, 0);
    });
    command.querySelector("code").textContent =
      `${shot.dataset.command} ${chosen.map((box) => `--frames=${quoted(box.value)}`).join(" ")}`;
  };

  for (const box of boxes) box.addEventListener("change", draw);
  // A browser restores what was chosen before when a page is opened again.
  addEventListener("load", draw);
})();
