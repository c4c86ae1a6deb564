import { startChild } from '../environment/child.ts'

export type Echo = { pid: number; port: number; stop(): Promise<void> }

/** Starts the echo server, with its prepared response for each path. */
export async function startEcho(answers: Record<string, string>): Promise<Echo> {
  const child = startChild(new URL('./echo-process.ts', import.meta.url))
  const { port } = await child.ask<{ port: number }>({ answers })
  return { pid: child.pid, port, stop: () => child.stop() }
}
