import { useQuery } from '@tanstack/react-query'
import type { AccountDocumentInput } from '../../../../src/domain/account/document/document.ts'
import { planAccount } from '../../../../src/domain/account/plan.ts'
import { api } from '../../../shared/api.ts'
import { Loading } from '../../../shared/loading.tsx'
import { ProblemView } from '../../../shared/problem-view.tsx'
import { usePortal } from '../../portal.ts'
import { Timestamp } from '../../timestamp.tsx'
import { Difference } from './difference.tsx'
import { toText } from './document-text.ts'
import type { Version } from './history.tsx'

type VersionViewProps = { shown: Version; current: number; goBack(version: number): void; close(): void }

/** A version's changes against the version before it, as its plan showed them. */
export function VersionView({ shown, current, goBack, close }: VersionViewProps) {
  const { tenantId } = usePortal()
  const { version, applied_at, applied_by } = shown
  const { data, error, refetch } = useQuery({
    queryKey: ['account-version', tenantId, version],
    // An applied version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => differenceOf(tenantId, version),
  })
  return (
    <>
      <div className="head">
        <h1>Version {version}</h1>
        <span className="dim">
          {applied_by}, <Timestamp at={applied_at} />
        </span>
        <span className="right">
          <button type="button" className="b" onClick={close}>
            Back to the document
          </button>
          {version !== current && (
            <button type="button" className="b" onClick={() => goBack(version)}>
              Go back to version {version}
            </button>
          )}
        </span>
      </div>
      {error && !data && <ProblemView error={error} retry={refetch} />}
      {!data && !error && <Loading lines={[30, 80, 70]} />}
      {data && (
        <Difference
          {...data}
          same={
            <>
              <h2>This version changed nothing.</h2>
              <p>
                Version {version} is written differently from version {version - 1}, but has the same effect.
              </p>
            </>
          }
        >
          {version === 1 ? (
            <b>This is the first version, so everything in it is new.</b>
          ) : (
            <b>
              Version {version} compared with version {version - 1}.
            </b>
          )}{' '}
          {version === current ? 'This version is in use.' : `Version ${current} is in use now.`}
        </Difference>
      )}
    </>
  )
}

/** Versions count from 1 without gaps. */
async function differenceOf(tenantId: string, version: number) {
  const [before, after] = await Promise.all([
    version === 1 ? null : documentOf(tenantId, version - 1),
    documentOf(tenantId, version),
  ])
  return {
    plan: planAccount(before, after),
    before: before ? toText(before) : '',
    after: toText(after),
  }
}

async function documentOf(tenantId: string, version: number): Promise<AccountDocumentInput> {
  const params = { path: { tenant_id: tenantId, version: String(version) } }
  const document = await api.GET('/admin/accounts/{tenant_id}/versions/{version}', { params })
  // As it was applied: its checks passed then.
  return document as unknown as AccountDocumentInput
}
