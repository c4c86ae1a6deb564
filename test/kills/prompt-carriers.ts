import { type SandboxState, sandboxState } from '../../src/carriers/sandbox/sandbox-state.ts'
import type { Deps } from '../../src/operations/deps.ts'
import { sandboxStore } from '../../src/store/sandbox/sandbox.ts'
import { nowOf } from './work.ts'

/**
 * Sandbox carriers in this process that respond at once: a response that is lost fails at once, so time-outs need
 * not be so short that a good response might miss them.
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
