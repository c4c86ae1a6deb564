import { userInfo } from 'node:os'
import { recorder, type WriteAudit } from '../../operations/context/audit.ts'
import { newId } from '../../operations/context/new-id.ts'

/** What a command changes stands in the audit log under the name of whoever typed it. */
export function commandRecord(action: string): WriteAudit {
  return recorder({ newId }, { kind: 'command', actor: loginName(), action, ip: null, requestId: null })
}

/** In a container there may be no name for the user's number. */
export function loginName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}
