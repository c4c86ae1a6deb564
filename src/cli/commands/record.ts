import { userInfo } from 'node:os'
import { recorder, type WriteAudit } from '../../operations/audit/audit.ts'
import { newId } from '../../operations/new-id.ts'

/** The audit log records changes by commands under the login name of the person who ran the command. */
export function commandRecord(action: string): WriteAudit {
  return recorder({ newId }, { kind: 'command', actor: loginName(), action, ip: null, requestId: null })
}

/** In a container the user id may have no name. */
export function loginName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}
