import { type SandboxState, sandboxState } from '../../src/carriers/sandbox/sandbox-state.ts'
import type { Deps } from '../../src/operations/context/deps.ts'
import { sandboxStore } from '../../src/store/sandbox/sandbox.ts'
import { nowOf } from './work.ts'

/**
 * The sandbox carriers of a process, which make nobody wait: an answer that gets lost breaks off at once, so that no
 * time-out has to be so short that a good answer might miss it.
 */
export function promptCarriers(depsOf: () => Deps): SandboxState {
  return {
    handle(accountId, carrier, request) {
      const deps = depsOf()
      const { handle } = sandboxState({
        store: sandboxStore(deps.db),
        nowMs: (account) => nowOf(deps, account),
        secretKey: deps.secretKey,
        wait: async () => {},
      })
      return handle(accountId, carrier, request)
    },
  }
}
