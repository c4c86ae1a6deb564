import { Refusal } from '../../domain/errors.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { endGrant, listGrants, type OwnGrant } from '../../store/people/assistant-grants.ts'
import type { WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { Person } from '../tokens/user-token.ts'

/** The assistants that act in the person's name; the one used last comes first. */
export async function listOwnAssistants(deps: Pick<Deps, 'db'>, person: Person): Promise<OwnGrant[]> {
  return listGrants(deps.db, person)
}

/** Ends the access of one of the person's assistants in all processes at once. Refuses `not_found`. */
export async function endOwnAssistant(
  deps: Pick<Deps, 'db'>,
  person: Person,
  grantId: string,
  record: WriteAudit,
): Promise<void> {
  await withTransaction(deps.db, async (db) => {
    if (!(await endGrant(db, person, grantId)))
      throw new Refusal('not_found', 'You have no such assistant, or its access has ended already.')
    await record(db, { accountId: person.accountId, object: grantId })
  })
}
