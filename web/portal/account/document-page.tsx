import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { ApplyAnswer } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { Problem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { fieldsAt, lineOf, type Read, readText, toText } from './document/document-text.ts'
import './document/document.css'
import { History, type Version } from './document/history.tsx'
import { PlanView } from './document/plan-view.tsx'
import { SchemaHelp } from './document/schema-help.tsx'
import { VersionView } from './document/version-view.tsx'

const ONE = '/admin/accounts/{tenant_id}'
type Document = { tenant_id: string; [name: string]: unknown }
type Planned = { answer: ApplyAnswer['data']; document: Document; text: string }

/** The account as code: edit with help, plan, apply as a whole, roll back. */
export function DocumentPage() {
  const { session } = usePortal()
  useTitle('Account')
  // Admins manage users and connections; partners manage the document.
  return session.user.role === 'operator' ? <DocumentEditor /> : <Navigate to="/account/users" />
}

function DocumentEditor() {
  const { tenantId } = usePortal()
  const { data, error, refetch } = useQuery({
    queryKey: ['account-document', tenantId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const {
        data: document,
        error: refused,
        response,
      } = await api.GET(ONE, { params: { path: { tenant_id: tenantId } } })
      if (!document) throw new Problem(response.status, refused ?? {})
      return { text: toText(document), version: Number(response.headers.get('etag')?.replaceAll('"', '')) }
    },
  })
  if (error && !data) return <ProblemView error={error} retry={refetch} />
  if (!data) return <Loading lines={[30, 80, 70, 76]} />
  return <Editor key={data.version} inUse={data.text} version={data.version} />
}

function Editor({ inUse, version }: { inUse: string; version: number }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  const [text, setText] = useState(inUse)
  const [fields, setFields] = useState<readonly string[]>([])
  const [planned, setPlanned] = useState<Planned | null>(null)
  const [shown, setShown] = useState<Version | null>(null)
  const [unread, setUnread] = useState<Extract<Read, { mistake: string }> | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const path = { tenant_id: tenantId }

  const plan = useMutation({
    mutationFn: async (wanted: { document: Document; text: string }) => {
      const params = { path, query: { dry_run: true } }
      const { data: answer } = await answerOf(api.PUT(ONE, { params, body: wanted.document }))
      return { answer, ...wanted }
    },
    onSuccess: setPlanned,
  })
  const apply = useMutation({
    mutationFn: ({ document }: Planned) =>
      answerOf(api.PUT(ONE, { params: { path, query: { expect_version: version } }, body: document })),
    onSuccess: () => queries.invalidateQueries(),
  })
  const read = () => {
    const found = readText(text)
    if ('mistake' in found) return setUnread(found)
    setUnread(null)
    plan.mutate({ document: { ...found.document, tenant_id: String(found.document.tenant_id ?? '') }, text })
  }
  const goBack = async (to: number) => {
    const params = { path: { ...path, version: String(to) } }
    const document = await answerOf(api.GET('/admin/accounts/{tenant_id}/versions/{version}', { params }))
    plan.mutate({ document, text: toText(document) })
  }
  const jump = (line: number) => {
    const offset =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0)
    field.current?.focus({ preventScroll: true })
    field.current?.setSelectionRange(offset, offset + (text.split('\n')[line - 1]?.length ?? 0))
    if (field.current) field.current.scrollTop = Math.max(0, (line - 6) * LINE_PX)
  }

  if (planned) {
    return (
      <>
        {apply.error && <ProblemView error={apply.error} />}
        <PlanView
          plan={planned.answer.plan}
          warnings={planned.answer.warnings}
          version={version}
          before={inUse}
          after={planned.text}
          busy={apply.isPending}
          apply={() => apply.mutate(planned)}
          back={() => {
            setText(planned.text)
            setPlanned(null)
            setShown(null)
            apply.reset()
          }}
        />
      </>
    )
  }
  if (shown) {
    return (
      <>
        {plan.error && <ProblemView error={plan.error} />}
        <VersionView shown={shown} current={version} goBack={goBack} close={() => setShown(null)} />
      </>
    )
  }
  return (
    <>
      <div className="head">
        <h1>Account</h1>
        <span className="dim">version {version} is in use</span>
        <span className="right">
          <ActionButton
            type="button"
            className="b"
            closed={text === inUse && 'You haven’t changed anything.'}
            onClick={() => setText(inUse)}
          >
            Undo all
          </ActionButton>
          <ActionButton type="button" className="b next" busy={plan.isPending} onClick={read}>
            Plan
          </ActionButton>
        </span>
      </div>
      {unread && <Mistakes list={[{ line: unread.line, message: unread.mistake }]} jump={jump} />}
      {plan.error instanceof Problem && plan.error.errors.length > 0 ? (
        <Mistakes
          list={plan.error.errors.map((one) => ({ line: lineOf(text, one.field), message: one.message }))}
          jump={jump}
        />
      ) : (
        plan.error && <ProblemView error={plan.error} />
      )}
      <div className="editor-grid">
        <div className="editor">
          <label htmlFor="document" className="field-label">
            The document
          </label>
          <textarea
            id="document"
            ref={field}
            className="mono"
            spellCheck={false}
            wrap="off"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onSelect={(event) => setFields(fieldsAt(text, event.currentTarget.selectionStart))}
          />
        </div>
        <div className="stack-of-cards">
          <History current={version} show={setShown} goBack={goBack} />
          <SchemaHelp fields={fields} />
        </div>
      </div>
    </>
  )
}

const LINE_PX = 20

/** Every mistake by its line, with its remedy; pressing one goes there. */
function Mistakes({
  list,
  jump,
}: {
  list: readonly { line: number; message: string }[]
  jump(line: number): void
}) {
  return (
    <div className="state err" role="alert">
      <h2>{list.length === 1 ? 'One mistake' : `${list.length} mistakes`}. Nothing was changed.</h2>
      <ul className="mistakes">
        {list.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            <button type="button" className="b quiet linklike" onClick={() => jump(line)}>
              Line {line}
            </button>{' '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
