/**
 * The phone's own storage (IndexedDB): steps that wait to be sent, in order, rejected steps and the last job list. If
 * the disk is full or the browser blocks storage, steps wait in memory until the app sends them or is closed.
 */

const NAME = 'drover-driver'
const WAITING = 'waiting'
const KEPT = 'kept'

let opened: Promise<IDBDatabase> | null = null
const inMemory = new Map<string, { id: string }>()

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((done, fail) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(WAITING, { keyPath: 'id' })
      request.result.createObjectStore(KEPT)
    }
    request.onsuccess = () => {
      // iOS closes the connections of an app that it has suspended.
      request.result.onclose = () => {
        opened = null
      }
      done(request.result)
    }
    request.onerror = () => fail(request.error)
  }).catch((error: unknown) => {
    opened = null
    throw error
  })
  return opened
}

/** Retries once on a new connection if the browser has closed the old one. */
async function withConnection<T>(work: (db: IDBDatabase) => Promise<T>): Promise<T> {
  try {
    return await work(await open())
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
    opened = null
    return work(await open())
  }
}

/** Resolves only when it is on the phone's disk: a flat battery loses no proof. */
function write(store: string, change: (store: IDBObjectStore) => void): Promise<void> {
  return withConnection(
    (db) =>
      new Promise<void>((done, fail) => {
        const transaction = db.transaction(store, 'readwrite', { durability: 'strict' })
        transaction.oncomplete = () => done()
        transaction.onabort = () => fail(transaction.error)
        change(transaction.objectStore(store))
      }),
  )
}

function read<T>(store: string, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return withConnection(
    (db) =>
      new Promise((done, fail) => {
        const request = ask(db.transaction(store).objectStore(store))
        request.onsuccess = () => done(request.result)
        request.onerror = () => fail(request.error)
      }),
  )
}

export async function putWaiting(one: { id: string }): Promise<void> {
  await write(WAITING, (store) => store.put(one)).catch(() => inMemory.set(one.id, one))
}

export async function removeWaiting(id: string): Promise<void> {
  if (!inMemory.delete(id)) await write(WAITING, (store) => store.delete(id))
}

/** Oldest first: ids sort by time. */
export async function listWaiting<T extends { id: string }>(): Promise<T[]> {
  const stored = await read<T[]>(WAITING, (store) => store.getAll()).catch(() => [])
  const all = [...stored, ...([...inMemory.values()] as T[])]
  return all.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** False if the phone has no space or blocks its storage. */
export async function writeStored(name: string, value: unknown): Promise<boolean> {
  return write(KEPT, (store) => store.put(value, name)).then(
    () => true,
    () => false,
  )
}

export async function readStored<T>(name: string): Promise<T | null> {
  return (await read<T | undefined>(KEPT, (store) => store.get(name)).catch(() => null)) ?? null
}

/** Deletes everything when the driver logs out: another driver may use the phone tomorrow. */
export async function clearPhoneStore(): Promise<void> {
  inMemory.clear()
  await Promise.allSettled([KEPT, WAITING].map((name) => write(name, (store) => store.clear())))
}
