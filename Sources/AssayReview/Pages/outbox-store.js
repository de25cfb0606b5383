// The storage for unsent strokes in this browser: one IndexedDB database per ledger, or memory
// if IndexedDB is unavailable.

const prefix = "assay-outbox-";

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function open(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    const items = request.result.createObjectStore("items", { keyPath: "number", autoIncrement: true });
    items.createIndex("uuid", "uuid", { unique: true });
  };
  return done(request);
}

/// The stored strokes of one ledger. `isKept` is false if they would be lost with the tab (private
/// window, no space); `why` is the reason.
class Store {
  constructor(database, why) {
    this.database = database;
    this.why = why;
    this.memory = new Map();
    this.lastNumber = 0;
  }

  get isKept() {
    return this.why === null;
  }

  /// Runs `work(objectStore)` in one transaction; resolves when it is on disk.
  async transaction(mode, work) {
    const transaction = this.database.transaction("items", mode, { durability: "strict" });
    const settled = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
    settled.catch(() => {});
    const result = await done(work(transaction.objectStore("items")));
    await settled;
    return result;
  }

  /// Adds an item, or replaces its older version; assigns its number in the order.
  async put(item) {
    if (this.database && !this.memory.has(item.uuid)) {
      try {
        item.number = await this.transaction("readwrite", (items) => items.put(item));
        return;
      } catch (error) {
        this.why = `this browser has no storage space left (${error?.name ?? "error"})`;
      }
    }
    this.lastNumber = Math.max(this.lastNumber, item.number ?? 0) + (item.number ? 0 : 1);
    item.number ??= this.lastNumber + 1e9;
    this.memory.set(item.uuid, item);
  }

  async remove(item) {
    if (this.memory.delete(item.uuid) || !this.database) return;
    await this.transaction("readwrite", (items) => items.delete(item.number));
  }

  /// Returns all items in the order in which they were made; null if they cannot be read now.
  async all() {
    let kept = [];
    try {
      if (this.database) kept = await this.transaction("readonly", (items) => items.getAll());
    } catch {
      return null;
    }
    return [...kept, ...this.memory.values()].sort((a, b) => a.number - b.number);
  }
}

/// Opens the store of a ledger.
export async function openStore(ledger) {
  try {
    const database = await open(prefix + ledger);
    const store = new Store(database, null);
    // Another version of this page needs the database: close it, the strokes are stored there.
    database.onversionchange = () => database.close();
    navigator.storage?.persist?.().catch(() => {});
    return store;
  } catch (error) {
    const name = error?.name ?? "error";
    return new Store(null, `this browser cannot store data for this page (${name}; private window?)`);
  }
}

/// Returns the numbers of unsent strokes of other ledgers at this address: `[{ledger, count}]`.
/// They are only counted.
export async function strangers(ledger) {
  const found = [];
  try {
    for (const { name } of await indexedDB.databases()) {
      if (!name.startsWith(prefix) || name === prefix + ledger) continue;
      const database = await open(name);
      const items = database.transaction("items").objectStore("items");
      const number = await done(items.count());
      database.close();
      if (number) found.push({ ledger: name.slice(prefix.length), count: number });
    }
  } catch {
    // A browser that does not list its databases reports none.
  }
  return found;
}
