import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { User } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { DialogButtons } from '../dialog-buttons.tsx'
import { FieldError } from '../field-error.tsx'
import { fieldProblems } from '../field-problems.ts'
import { onSubmit } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { type AccountRole, useAccessFields } from './access-fields.tsx'
import { useOwnCredentials } from './own-credentials.tsx'

const FIELDS = ['role', 'store_references', 'password', 'code']

type ChangeUserProps = { user: User & { role: AccountRole }; onClose(): void }

/** Changes role and stores of a user of the account. To make someone an admin, users confirm their identity. */
export function ChangeUser({ user, onClose }: ChangeUserProps) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const body = {
        ...(access.role !== user.role && { role: access.role }),
        ...(access.role === 'store_clerk' && { store_references: [...access.stores] }),
        ...(becomesAdmin && own.typed),
      }
      const params = { path: { tenant_id: tenantId, user_id: user.id } }
      return api.PATCH('/{tenant_id}/users/{user_id}', { params, body })
    },
    onSuccess: () => {
      onClose()
      return queries.invalidateQueries({ queryKey: ['users', tenantId] })
    },
  })
  const problems = fieldProblems(error, FIELDS)
  const access = useAccessFields({ role: user.role, stores: user.store_references ?? [] }, problems)
  const own = useOwnCredentials(problems)
  const becomesAdmin = access.role === 'merchant_admin' && user.role !== 'merchant_admin'
  const becomesClerk = access.role === 'store_clerk' && user.role !== 'store_clerk'
  const isSame = access.role === user.role && sameStores(access.stores, user.store_references ?? [])
  return (
    <Dialog title={`Change access for ${user.name ?? user.email}`} onClose={onClose}>
      <p className="dim">The change will take effect straight away.</p>
      <form onSubmit={onSubmit(() => mutate())} className="fields narrow">
        {access.fields}
        {becomesClerk && (
          <p className="dim">
            This person’s API clients will stop working. To keep a client working, take it over on the API
            clients page first.
          </p>
        )}
        {becomesAdmin && own.fields}
        <FieldError error={problems.rest} />
        <DialogButtons
          submitLabel="Save"
          busy={isPending}
          disabledReason={access.missing ?? (isSame && 'You haven’t changed anything.')}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}

function sameStores(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join() === others.toSorted().join()
}
