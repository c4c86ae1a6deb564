/** The phone's own storage: steps that wait to be sent, in order, and the last job list. */

const NAME = 'drover-driver'
const WAITING = 'waiting'
const KEPT = 'kept'

let opened: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((done, fail) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(WAITING, { keyPath: 'id' })
      request.result.createObjectStore(KEPT)
    }
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
  })
  return opened
}

/** Resolves only when it is on the phone's disk: a flat battery loses no proof. */
async function write(store: string, change: (store: IDBObjectStore) => void): Promise<void> {
  const db = await open()
  await new Promise<void>((done, fail) => {
    const transaction = db.transaction(store, 'readwrite', { durability: 'strict' })
    change(transaction.objectStore(store))
    transaction.oncomplete = () => done()
    transaction.onabort = () => fail(transaction.error)
  })
}

async function read<T>(store: string, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open()
  return new Promise((done, fail) => {
    const request = ask(db.transaction(store).objectStore(store))
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
  })
}

export function putWaiting(one: { id: string }): Promise<void> {
  return write(WAITING, (store) => store.put(one))
}

export function removeWaiting(id: string): Promise<void> {
  return write(WAITING, (store) => store.delete(id))
}

export function listWaiting<T>(): Promise<T[]> {
  return read(WAITING, (store) => store.getAll())
}

export function writeStored(name: string, value: unknown): Promise<void> {
  return write(KEPT, (store) => store.put(value, name))
}

export async function readStored<T>(name: string): Promise<T | null> {
  return (await read<T | undefined>(KEPT, (store) => store.get(name))) ?? null
}

/** Deletes everything when the driver logs out: another driver may use the phone tomorrow. */
export async function forgetAll(): Promise<void> {
  await write(KEPT, (store) => store.clear())
  await write(WAITING, (store) => store.clear())
}
