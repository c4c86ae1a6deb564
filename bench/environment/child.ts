import { type ChildProcess, fork } from 'node:child_process'

/** A child process of ours that answers requests. */
export type Child = {
  pid: number
  /** Rejects if the process fails or ends. */
  ask<Answer>(question: unknown): Promise<Answer>
  stop(): Promise<void>
}

/** Starts a file of the bench in a separate process: the measuring and the measured code share no thread. */
export function startChild(file: URL, args: readonly string[] = []): Child {
  const child = fork(file, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  return {
    pid: child.pid as number,
    ask: (question) => askOnce(child, question),
    stop: () => stopChild(child),
  }
}

/** In the child: handles the parent's requests, one after another; ends with its parent. */
export function answerParent<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on('message', async (question: Question) => {
    try {
      process.send?.({ answer: await answer(question) })
    } catch (error) {
      process.send?.({ failure: (error as Error).stack ?? String(error) })
    }
  })
  process.once('disconnect', () => process.exit())
}

/** Asks a child to end, and waits until it has. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  await ended
}

/** The response of a process with a channel to its parent; requests are handled one after another. */
export function askOnce<Answer>(child: ChildProcess, question: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process of the bench ended with ${code}.`))
    child.once('exit', onExit)
    child.once('message', (reply: { answer: Answer } | { failure: string }) => {
      child.off('exit', onExit)
      if ('failure' in reply) reject(new Error(reply.failure))
      else resolve(reply.answer)
    })
    child.send(question as object)
  })
}
