// Changes of an object's fields in the editor (editor.js): its attributes and its keypoints.

/// Sets fields of an object, {name: value}; null removes one. False if they stay as they are.
export function setFields(editor, target, fields) {
  const item = editor.objects.find(target);
  const changed = Object.entries(fields).filter(([name, value]) => !isSame(item?.fields.get(name) ?? null, value));
  if (!item || changed.length === 0) return false;
  editor.begin();
  editor.endStroke();
  const before = changed.map(([name]) => [name, item.fields.get(name) ?? null]);
  const attributes = Object.fromEntries(changed);
  const uuid = editor.tell({ kind: "attributes", target, category: item.category, attributes });
  editor.history.add({ kind: "attributes", uuid, target, before, after: changed });
  item.setFields(changed);
  item.isChanged = true;
  editor.activate();
  return true;
}

function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
