import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { ApplyAnswer } from '../../shared/api.generated.ts'
import { api, request, versionOf } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { Problem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { fieldsAt, lineOf, type Mistake, readText, toText } from './document/document-text.ts'
import './document/document.css'
import { History, type Version } from './document/history.tsx'
import { PlanView } from './document/plan-view.tsx'
import { SchemaHelp } from './document/schema-help.tsx'
import { VersionView } from './document/version-view.tsx'
import { YamlEditor } from './document/yaml-editor.tsx'

const ONE = '/admin/accounts/{tenant_id}'
type Document = { tenant_id: string; [name: string]: unknown }
type Planned = { answer: ApplyAnswer['data']; document: Document; text: string }

/** The account as code: edit with help, plan, apply as a whole, roll back. */
export function DocumentPage() {
  const { session } = usePortal()
  useTitle('Account document')
  // Admins manage users and connections; partners manage the document.
  return session.user.role === 'operator' ? <DocumentEditor /> : <Navigate to="/account/users" />
}

function DocumentEditor() {
  const { tenantId } = usePortal()
  const { data, error, refetch } = useQuery({
    queryKey: ['account-document', tenantId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const answer = await request('get', ONE, { params: { path: { tenant_id: tenantId } } })
      return { text: toText(answer.data), version: versionOf(answer) }
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
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([])
  const [jump, setJump] = useState<{ line: number } | null>(null)
  const path = { tenant_id: tenantId }

  const dryRun = async (wanted: { document: Document; text: string }): Promise<Planned> => {
    const params = { path, query: { dry_run: true } }
    const { data: answer } = await api.PUT(ONE, { params, body: wanted.document })
    return { answer, ...wanted }
  }
  const plan = useMutation({
    mutationFn: dryRun,
    onSuccess: setPlanned,
    // An older version that no longer fits has lines of its own, not those of the text.
    onError: (error, { text: sent }) => sent === text && setMistakes(toMistakes(error, sent)),
  })
  /** The server finds the mistakes, because it knows every rule. A failed connection is not a mistake. */
  const findMistakes = async (now: string): Promise<readonly Mistake[]> => {
    const found = readText(now)
    const listed =
      'mistakes' in found
        ? found.mistakes
        : await dryRun({ document: withTenant(found.document), text: now }).then(
            () => [],
            (error: unknown) => toMistakes(error, now),
          )
    setMistakes(listed)
    return listed
  }
  const apply = useMutation({
    mutationFn: ({ document }: Planned) =>
      api.PUT(ONE, { params: { path, query: { expect_version: version } }, body: document }),
    onSuccess: () => queries.invalidateQueries(),
  })
  const read = () => {
    const found = readText(text)
    if ('mistakes' in found) setMistakes(found.mistakes)
    else plan.mutate({ document: withTenant(found.document), text })
  }
  const goBack = async (to: number) => {
    const params = { path: { ...path, version: String(to) } }
    const document = await api.GET('/admin/accounts/{tenant_id}/versions/{version}', { params })
    plan.mutate({ document, text: toText(document) })
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
        <h1>Account document</h1>
        <span className="dim">Version {version} is in use</span>
        <span className="right">
          <ActionButton
            type="button"
            className="b"
            disabledReason={text === inUse && 'You haven’t changed anything.'}
            onClick={() => setText(inUse)}
          >
            Undo all
          </ActionButton>
          <ActionButton type="button" className="b next" busy={plan.isPending} onClick={read}>
            Plan
          </ActionButton>
        </span>
      </div>
      {mistakes.length > 0 && <Mistakes list={mistakes} jump={(line) => setJump({ line })} />}
      {plan.error && mistakes.length === 0 && <ProblemView error={plan.error} />}
      <div className="editor-grid">
        <div className="editor">
          <YamlEditor
            label="The document"
            text={text}
            jump={jump}
            onText={setText}
            onPlace={(now, offset) => setFields(fieldsAt(now, offset))}
            findMistakes={findMistakes}
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

function withTenant(document: Record<string, unknown>): Document {
  return { ...document, tenant_id: String(document.tenant_id ?? '') }
}

/** The API's mistakes in the order of the lines; none if the request failed for another reason. */
function toMistakes(error: unknown, text: string): Mistake[] {
  if (!(error instanceof Problem)) return []
  return error.errors
    .map(({ field, message }) => ({ line: lineOf(text, field), field, message }))
    .sort((a, b) => a.line - b.line)
}

/** Every mistake by its line, with its remedy; a click goes there. */
function Mistakes({ list, jump }: { list: readonly Mistake[]; jump(line: number): void }) {
  return (
    <div className="state err" role="alert">
      <h2>{count(list.length, 'mistake')}. The account hasn’t changed.</h2>
      <ul className="mistakes">
        {list.map(({ line, field, message }) => (
          <li key={`${line} ${field} ${message}`}>
            <button type="button" className="b quiet linklike" onClick={() => jump(line)}>
              Line {line}
            </button>{' '}
            {field && <span className="mono">{field}: </span>}
            {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
