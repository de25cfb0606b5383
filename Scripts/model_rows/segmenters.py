"""Section 3: segmenters."""
import numpy as np

from .base import F32, I32, I64, U8, Graph, NoStep, Wrong, names, near, need, picture, reference, row, setting, sigmoid, softmax

HEIGHT, WIDTH = 48, 64
PARTS = ["sky", "road", "car", "tree"]


def scene(place, data="scene", labels=PARTS):
    """8 images of 64 x 48 with masks: values 1 to 4 are the classes, 0 is background."""
    if data not in place.datasets:
        random = np.random.default_rng(41)
        keys, images, masks = [], [], []
        for index in range(8):
            image = picture(random, HEIGHT, WIDTH)
            # Near the model's own answer, so that IoU is neither 0 nor 1.
            answer = reference(segmenter()[0], planes(image)[None])[0][0].argmax(0)
            mask = (np.roll(answer, (2, 3), (0, 1)) % len(labels) + 1).astype(np.uint8)
            keys.append(f"images/{index}.png")
            place.write(f"{data}/images/{index}.png", image)
            place.write(f"{data}/masks/{index}.png", mask)
            images.append(image)
            masks.append(mask)
        with open(place.path(data + "/classes.txt"), "w", encoding="utf-8") as file:
            file.write("background\n" + "\n".join(labels) + "\n")
        place.run("import", f"{data}:masks", "--name", data)
        place.datasets[data] = keys, images, masks
    return data


def planes(image):
    return (image.astype(np.float64) / 255).transpose(2, 0, 1).astype(np.float32)


def inputs(place, data="scene"):
    scene(place)
    return np.stack([planes(image) for image in place.images(data)])


def logits(graph, classes=4, value="x", stride=1, gain=3.0):
    value = graph.op("Relu", graph.conv(value, 3, 8, stride, 2))
    value = graph.op("Relu", graph.conv(value, 8, 8, stride, 2))
    value = graph.conv(value, 8, classes, 1, gain, 5)
    return graph.op("Sub", value, graph.op("ReduceMean", value, axes=[2, 3], keepdims=1))


def segmenter(finish=None, shape=None, kind=F32, classes=4, batch=1, stride=1, gain=3.0, inputs_=None, height=HEIGHT, width=WIDTH):
    """A model and its graph; `finish` turns the logits [N, C, H, W] into the output."""
    graph = Graph(42)
    value = logits(graph, classes, stride=stride, gain=gain)
    value = finish(graph, value) if finish else value
    graph.name(value, "y")
    out = shape or [batch, classes, height if stride == 1 else HEIGHT // 4, width if stride == 1 else WIDTH // 4]
    return graph.model(inputs_ or [("x", F32, [batch, 3, height, width])], [("y", kind, out)]), graph


def manifest(activation="softmax", classes=PARTS, more="", **keys):
    line = f"activation: {activation}\n" if activation else ""
    return f"task: segmentation\n{setting(WIDTH, HEIGHT, **keys)}{line}{names(classes)}{more}"


def run_masks(place, name, data="scene", options=()):
    """The run, and its results: the place of the image, the place of the class in the manifest of names, the mask."""
    mask = need("pycocotools.mask")
    run, _ = place.predict(name, data, *options)
    order = place.keys(data)
    stems = [key.rsplit("/")[-1].rsplit(".")[0] for key in order]
    found = []
    for result in place.results(run):
        image = result["image_id"]
        index = order.index(image) if image in order else stems.index(str(image).rsplit("/")[-1].rsplit(".")[0])
        found.append((index, result["category_id"] - 1, mask.decode(result["segmentation"]).astype(bool)))
    return run, found


def found_masks(place, name, data="scene", classes=PARTS, options=(), size=(HEIGHT, WIDTH)):
    """The run, and per image and class the mask."""
    run, results = run_masks(place, name, data, options)
    maps = np.zeros((len(place.keys(data)), len(classes), *size), bool)
    for image, number, mask in results:
        maps[image, number] = mask
    return run, maps


def distinct(values):
    """The pixels whose best class is better than the next by more than what rounding explains."""
    top = np.sort(values, 1)
    return top[:, -1] - top[:, -2] > 1e-5 * np.abs(values).max()


def miou(place, data, maps, classes=4):
    """Mean over the classes of IoU over all pixels."""
    truth = np.stack(place.datasets[data][2])
    values = []
    for number in range(classes):
        own, other = truth == number + 1, maps[:, number]
        values.append((own & other).sum() / (own | other).sum())
    return float(np.mean(values))


def measure(tree):
    from .classifiers import find
    return find(tree, "mean_iou", "miou", "mIoU", "meanIoU", "iou_mean")


def compared(place, model, activation="softmax", answer=None, classes=PARTS, more="", limit=0, file=None, options=(), **keys):
    """The masks of a model with several classes against the argmax of ONNX Runtime's logits."""
    scene(place)
    name = place.add(file or place.save(model), manifest(activation, classes, more, **keys))
    run, maps = found_masks(place, name, classes=classes, options=options)
    values = reference(segmenter()[0], inputs(place), alone=True)[0]
    want, clear = (values.argmax(1), distinct(values)) if answer is None else (answer, True)
    differ = int(((maps != (want[:, None] == np.arange(len(classes))[None, :, None, None])).any(1) & clear).sum())
    if differ > limit * want.size:
        raise Wrong(f"{differ} of {want.size} pixels have another class")
    text = f"{differ} of {want.size} pixels differ"
    if len(classes) == 4:
        own = measure(place.evaluate(run))
        text += f", mIoU {own:.4f} " + near("against numpy", own, miou(place, "scene", maps), 1e-9)
    return text


@row("3", "-", "logits NCHW: batch fixed and open, sides open; softmax inside; NHWC out; NHWC in and out")
def plain(place):
    texts = [compared(place, segmenter()[0]), compared(place, segmenter(batch="N")[0]),
             compared(place, segmenter(lambda g, v: g.op("Softmax", v, axis=1))[0], "none"),
             compared(place, segmenter(lambda g, v: g.op("Transpose", v, perm=[0, 2, 3, 1]), [1, HEIGHT, WIDTH, 4])[0])]
    graph = Graph(42)
    graph.nodes.append(__import__("onnx").helper.make_node("Transpose", ["image"], ["x"], perm=[0, 3, 1, 2]))
    graph.name(graph.op("Transpose", logits(graph), perm=[0, 2, 3, 1]), "y")
    model = graph.model([("image", F32, [1, HEIGHT, WIDTH, 3])], [("y", F32, [1, HEIGHT, WIDTH, 4])])
    texts.append(compared(place, model, layout="NHWC"))
    return "; ".join(texts)


@row("3", "E", "dynamic height and width: the draft, and the model")
def open_sides(place):
    model = segmenter(batch="N", height="h", width="w")[0]
    _, draft = place.draft(place.save(model))
    task = [line for line in draft.splitlines() if line.startswith("task")]
    if not task or "segmentation" not in task[0]:
        raise NoStep(f"the draft of [N, 4, h, w] has {task}")
    return compared(place, model) + "; draft of a segmenter"


@row("3", "-", "logits at a quarter of the size (SegFormer)")
def quarter(place):
    cv2 = need("cv2")
    model = segmenter(stride=2)[0]
    values = softmax(reference(model, inputs(place), alone=True)[0], 1)
    want = np.stack([np.stack([cv2.resize(plane, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR) for plane in image]).argmax(0)
                     for image in values])
    return compared(place, model, answer=want, limit=0.002) + " (probabilities resized by OpenCV)"


@row("3", "-", "two outputs, out and aux (DeepLab)")
def aux(place):
    graph = Graph(42)
    value = logits(graph)
    graph.name(value, "out")
    graph.name(graph.op("Mul", value, graph.f32(-1)), "aux")
    model = graph.model([("x", F32, [1, 3, HEIGHT, WIDTH])], [(name, F32, [1, 4, HEIGHT, WIDTH]) for name in ("out", "aux")])
    place.predict_refused(place.save(model), manifest(), scene(place), reason="outputs", step="output")
    return compared(place, model, more="output: out\n") + "; without “output” refused"


@row("3", "-", "one class: sigmoid inside, logits, [N, H, W], background beside it, 7 outputs (U2-Net)")
def one_class(place):
    data = scene(place)
    base = reference(segmenter()[0], inputs(place), alone=True)[0].astype(np.float64)
    margin = base[:, 1] - base[:, 0]
    want, texts = margin > 0, []

    def difference(graph, value):
        return graph.op("Sub", graph.part(value, 1, 2, 1), graph.part(value, 0, 1, 1))
    models = {
        "logits": (segmenter(difference, [1, 1, HEIGHT, WIDTH])[0], "sigmoid", ["road"], ""),
        "sigmoid inside": (segmenter(lambda g, v: g.op("Sigmoid", difference(g, v)), [1, 1, HEIGHT, WIDTH])[0], "none", ["road"], ""),
        "[N, H, W]": (segmenter(lambda g, v: g.squeeze(g.op("Sigmoid", difference(g, v)), 1), [1, HEIGHT, WIDTH])[0], "none", ["road"], ""),
        "background": (segmenter(lambda g, v: g.part(v, 0, 2, 1), [1, 2, HEIGHT, WIDTH])[0], "softmax", ["background", "road"], "")}
    graph = Graph(42)
    probability = graph.op("Sigmoid", difference(graph, logits(graph)))
    for index in range(7):
        graph.name(graph.op("Mul", probability, graph.f32(1 - index * 0.1)), str(1959 + index))
    models["U2-Net"] = (graph.model([("x", F32, [1, 3, HEIGHT, WIDTH])], [(str(1959 + k), F32, [1, 1, HEIGHT, WIDTH]) for k in range(7)]),
                        "none", ["road"], 'output: "1959"\n')
    for title, (model, activation, classes, more) in models.items():
        name = place.add(place.save(model), manifest(activation, classes, more))
        maps = np.zeros(want.shape, bool)
        for image, _, mask in run_masks(place, name, data, ["--ignore-missing"])[1]:
            maps[image] |= mask
        # Maps of 8 bits: a pixel within 1/510 of the threshold can fall on either side.
        differ = int(((maps != want) & (np.abs(sigmoid(margin) - 0.5) > 1 / 500)).sum())
        if differ:
            raise Wrong(f"{title}: {differ} of {want.size} pixels differ")
        texts.append(title)
    file = place.save(models["sigmoid inside"][0])
    place.predict_refused(file, manifest("sigmoid", ["road"]), data, "--ignore-missing", reason="second|already|0.*1", step="none")
    place.predict_refused(place.save(models["logits"][0]), manifest("none", ["road"]), data, "--ignore-missing",
                          reason="probabilit|0.*1|logit", step="sigmoid")
    return "masks equal: " + ", ".join(texts) + "; wrong activations refused"


@row("3", "B", "argmax inside: i64, i32 [N, 1, H, W], u8, float; through a one-class sigmoid it is refused")
def argmax(place):
    texts = []
    arg = lambda g, v: g.op("ArgMax", v, axis=1, keepdims=0)  # noqa: E731
    cases = (("i64", arg, [1, HEIGHT, WIDTH], I64),
             ("i32 with a channel", lambda g, v: g.cast(g.op("ArgMax", v, axis=1, keepdims=1), I32), [1, 1, HEIGHT, WIDTH], I32),
             ("u8", lambda g, v: g.cast(arg(g, v), U8), [1, HEIGHT, WIDTH], U8),
             ("f32", lambda g, v: g.cast(arg(g, v), F32), [1, HEIGHT, WIDTH], F32))
    for title, finish, shape, kind in cases:
        model = segmenter(finish, shape, kind)[0]
        texts.append(f"{title}: " + compared(place, model, None, more="label-map: yes\n"))
        for activation in ("sigmoid", "none"):
            place.predict_refused(place.save(model), manifest(activation, ["road"]), scene(place), "--ignore-missing",
                                  reason="whole numbers|label|probabilit|class", step="label-map")
    return "; ".join(texts)


@row("3", "-", "12 outputs of which one is void or background")
def background(place):
    graph = Graph(42)
    value = logits(graph)
    graph.name(graph.op("Concat", graph.op("Sub", graph.part(value, 0, 1, 1), graph.f32(20)), value, axis=1), "y")
    model = graph.model([("x", F32, [1, 3, HEIGHT, WIDTH])], [("y", F32, [1, 5, HEIGHT, WIDTH])])
    name = place.add(place.save(model), manifest(classes=["background", *PARTS]))
    _, results = run_masks(place, name, scene(place))
    want = reference(segmenter()[0], inputs(place), alone=True)[0].argmax(1)
    differ = sum(int((mask != (want[image] == number)).sum()) for image, number, mask in results)
    if differ or len(results) < 20:
        raise Wrong(f"{differ} pixels differ in {len(results)} masks")
    return f"{len(results)} masks equal"


@row("3", "E", "names of another data set with and without a map")
def mapped(place):
    scene(place)
    model = segmenter()[0]
    name = place.add(place.save(model), f"task: segmentation\n{setting(WIDTH, HEIGHT)}activation: softmax\n"
                     f"{names(['heaven', 'street', 'car', 'tree'], 'outputs')}classes: {{heaven: sky, street: road}}\n")
    _, maps = found_masks(place, name)
    want = reference(model, inputs(place), alone=True)[0].argmax(1)
    if (maps != (want[:, None] == np.arange(4)[None, :, None, None])).any():
        raise Wrong("masks differ")
    name = place.add(place.save(model), manifest(classes=["heaven", "street", "car", "tree"]))
    done = place.words("predict", "scene", "--model", name, "--name", place.fresh("r"))
    text = " ".join(done.text.split())
    if "sky" not in text and "heaven" not in text:
        raise Wrong(f"not a word about the classes: {text[-300:]}")
    return "masks equal with the map; without it " + ("told" if done.returncode == 0 else "refused")


@row("3", "C", "150 soft classes, the largest probability 0.01 to 0.05: ties of 8 bits")
def soft(place):
    labels = PARTS + [f"other {k}" for k in range(146)]
    graph = Graph(42)
    few = logits(graph, gain=0.3)
    noise = graph.op("Mul", logits(graph, 146, gain=0.3), graph.f32(0.3))
    graph.name(graph.op("Concat", few, noise, axis=1), "y")
    model = graph.model([("x", F32, [1, 3, HEIGHT, WIDTH])], [("y", F32, [1, 150, HEIGHT, WIDTH])])
    scene(place)
    values = reference(model, inputs(place), alone=True)[0]
    want = values.argmax(1)
    eight = np.floor(softmax(values, 1) * 255 + 0.5)
    ties = float((eight.argmax(1) != want).mean())
    name = place.add(place.save(model), manifest(classes=labels))
    return tied(place, name, values, ties)


def tied(place, name, values, ties):
    want, clear = values.argmax(1), distinct(values)
    if ties < 0.02:
        raise Wrong(f"only {ties:.1%} of the pixels are ties: the row checks nothing")
    run, results = run_masks(place, name, "scene")
    maps = np.full(want.shape, -1)
    for image, number, mask in results:
        if number < 4:  # the data set's classes; the others have numbers of their own
            maps[image][mask] = number
    judged = ((maps >= 0) | (want < 4)) & clear
    differ = int((maps != want)[judged].sum())
    if differ:
        raise Wrong(f"{differ} of {want.size} pixels have another class ({ties:.1%} are ties in 8 bits)")
    own = measure(place.evaluate(run))
    theirs = miou(place, "scene", np.stack([maps == k for k in range(4)], 1))
    return f"0 of {int(judged.sum())} pixels differ where 8 bits have {ties:.1%} ties; mIoU {own:.4f} " + near("against numpy", own, theirs, 1e-9)


@row("3", "C", "sigmoid heads, confident: ties of 8 bits")
def confident(place):
    graph = Graph(42)
    graph.name(graph.op("Add", logits(graph, gain=2.0), graph.f32(6)), "y")
    model = graph.model([("x", F32, [1, 3, HEIGHT, WIDTH])], [("y", F32, [1, 4, HEIGHT, WIDTH])])
    scene(place)
    values = reference(model, inputs(place), alone=True)[0]
    want = values.argmax(1)
    ties = float((np.floor(sigmoid(values) * 255 + 0.5).argmax(1) != want).mean())
    name = place.add(place.save(model), manifest("sigmoid"))
    return tied(place, name, values, ties)


@row("3", "D", "MaskFormer: class and mask queries")
def queries(place):
    graph = Graph(42)
    value = logits(graph)
    graph.name(graph.op("Concat", value, graph.part(value, 0, 2, 1), axis=1), "masks_queries_logits")
    flat = graph.op("ReduceMean", "masks_queries_logits", axes=[2, 3], keepdims=0)
    graph.name(graph.op("Concat", *[graph.unsqueeze(flat, 2)] * 5, axis=2), "class_queries_logits")
    model = graph.model([("x", F32, [1, 3, HEIGHT, WIDTH])],
                        [("class_queries_logits", F32, [1, 6, 5]), ("masks_queries_logits", F32, [1, 6, HEIGHT, WIDTH])])
    place.add_refused(place.save(model), reason="quer|MaskFormer", step="post-process|runner|export")
    text = place.predict_refused(place.save(model), manifest("sigmoid", more="output: masks_queries_logits\n"), scene(place),
                                 reason="quer|shape|6, 48, 64", step="post-process|runner|export")
    return "refused", text[:200]


@row("3", "D", "MaskFormer with as many queries as classes, read as their maps")
def equal_queries(place):
    graph = Graph(42)
    graph.name(logits(graph), "masks_queries_logits")
    flat = graph.op("ReduceMean", "masks_queries_logits", axes=[2, 3], keepdims=0)
    graph.name(graph.op("Concat", *[graph.unsqueeze(flat, 2)] * 5, axis=2), "class_queries_logits")
    model = graph.model([("x", F32, [1, 3, HEIGHT, WIDTH])],
                        [("class_queries_logits", F32, [1, 4, 5]), ("masks_queries_logits", F32, [1, 4, HEIGHT, WIDTH])])
    text = place.predict_refused(place.save(model), manifest("sigmoid", more="output: masks_queries_logits\n"), scene(place),
                                 reason="quer", step="post-process|runner|export")
    return "refused", text[:200]


@row("3", "-", "DeepLabV3 and SegFormer as they are exported")
def genuine(place):
    torch, tv = need("torch", "torchvision")
    torch.manual_seed(8)
    model = tv.models.segmentation.deeplabv3_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=4, aux_loss=True).eval()
    for module in model.modules():
        if isinstance(module, torch.nn.Conv2d):
            torch.nn.init.kaiming_normal_(module.weight)

    class Both(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = model

        def forward(self, x):
            out = self.net(x)
            return out["out"], out["aux"]
    torch.onnx.export(Both().eval(), torch.zeros(1, 3, HEIGHT, WIDTH), place.path("deeplab.onnx"), dynamo=False, opset_version=17,
                      input_names=["x"], output_names=["out", "aux"])
    scene(place)
    with torch.no_grad():
        values = model(torch.from_numpy(inputs(place)))["out"].numpy()
    name = place.add("deeplab.onnx", manifest(more="output: out\n"))
    _, maps = found_masks(place, name)
    top = np.sort(values, 1)
    clear = top[:, -1] - top[:, -2] > 1e-3 * np.abs(values).max()
    differ = int(((maps != (values.argmax(1)[:, None] == np.arange(4)[None, :, None, None])).any(1) & clear).sum())
    if differ:
        raise Wrong(f"DeepLabV3: {differ} pixels differ")
    texts = [f"DeepLabV3: 0 of {int(clear.sum())} clear pixels differ"]
    try:
        hf = need("transformers")
    except Exception:
        return "; ".join(texts) + "; transformers is not installed"
    torch.manual_seed(9)
    config = hf.SegformerConfig(hidden_sizes=[16, 32, 64, 96], depths=[1, 1, 1, 1], num_labels=4, decoder_hidden_size=32,
                                id2label=dict(enumerate(PARTS)))
    net = hf.SegformerForSemanticSegmentation(config).eval()
    torch.nn.init.normal_(net.decode_head.classifier.weight, std=1.0)

    class Logits(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, pixel_values):
            return self.net(pixel_values).logits
    torch.onnx.export(Logits().eval(), torch.zeros(1, 3, HEIGHT, WIDTH), place.path("segformer.onnx"), dynamo=False, opset_version=17,
                      input_names=["pixel_values"], output_names=["logits"])
    with torch.no_grad():
        values = Logits().eval()(torch.from_numpy(inputs(place)))
        large = torch.nn.functional.interpolate(values.softmax(1), (HEIGHT, WIDTH), mode="bilinear").numpy()
    name = place.add("segformer.onnx", manifest())
    _, maps = found_masks(place, name)
    differ = int((maps != (large.argmax(1)[:, None] == np.arange(4)[None, :, None, None])).any(1).sum())
    if differ > 0.003 * large[:, 0].size:
        raise Wrong(f"SegFormer: {differ} of {large[:, 0].size} pixels differ")
    return "; ".join(texts) + f"; SegFormer: {differ} of {large[:, 0].size} pixels differ"
