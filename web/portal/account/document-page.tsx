import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { ApplyAnswer } from '../../shared/api.generated.ts'
import { api, request, versionOf } from '../../shared/api.ts'
import { count } from '../../shared/count.ts'
import { Loading } from '../../shared/loading.tsx'
import { Problem, toProblem } from '../../shared/problem.ts'
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
type Wanted = { document: Document; text: string }
type Planned = Wanted & { answer: ApplyAnswer['data'] }

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
  return <Editor inUse={data.text} version={data.version} />
}

function Editor({ inUse, version }: { inUse: string; version: number }) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  /** Null while the person’s text is the one in use. */
  const [edited, setEdited] = useState<string | null>(null)
  const text = edited ?? inUse
  const isEdited = text !== inUse
  const latestText = useRef(text)
  latestText.current = text
  const [fields, setFields] = useState<readonly string[]>([])
  const [planned, setPlanned] = useState<Planned | null>(null)
  const [shown, setShown] = useState<Version | null>(null)
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([])
  /** The version that someone else replaced before this person’s plan or change; null without a conflict. */
  const [replaced, setReplaced] = useState<number | null>(null)
  const [jump, setJump] = useState<{ line: number } | null>(null)
  const path = { tenant_id: tenantId }
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isEdited &&
      next.pathname !== current.pathname &&
      !window.confirm('Leave without applying your changes? You’ll lose them.'),
    enableBeforeUnload: () => isEdited,
  })

  const put = async (body: Document, query: { dry_run?: true; expect_version?: number }) =>
    (await api.PUT(ONE, { params: { path, query }, body })).data
  /** Someone else applied first: the next attempt is based on their version. */
  const readNewer = async (error: unknown) => {
    if (!isConflict(error)) return
    // First: if the newer version can’t be read now, it may arrive later, and must not do so unnoticed.
    setReplaced(version)
    setPlanned(null)
    void queries.invalidateQueries({ queryKey: ['account-versions', tenantId] })
    await queries.invalidateQueries({ queryKey: ['account-document', tenantId] }, { throwOnError: true })
  }
  const readVersion = async (version: number): Promise<Wanted> => {
    const params = { path: { ...path, version: String(version) } }
    const document = await api.GET('/admin/accounts/{tenant_id}/versions/{version}', { params })
    return { document, text: toText(document) }
  }
  const plan = useMutation({
    /** The text, or an older version. */
    mutationFn: async (from: Wanted | number): Promise<Planned> => {
      const wanted = typeof from === 'number' ? await readVersion(from) : from
      try {
        const answer = await put(wanted.document, { dry_run: true, expect_version: version })
        return { ...wanted, answer }
      } catch (error) {
        await readNewer(error)
        throw error
      }
    },
    onSuccess: (found, from) => {
      if (typeof from !== 'number') setMistakes([])
      apply.reset()
      setReplaced(null)
      setPlanned(found)
    },
    // An older version that no longer fits has lines of its own, not those of the text.
    onError: (error, from) => {
      if (typeof from !== 'number' && from.text === latestText.current)
        setMistakes(toMistakes(error, from.text) ?? [])
    },
  })
  /** The server finds the mistakes, because it knows every rule. A failed connection is not a mistake. */
  const findMistakes = async (now: string): Promise<readonly Mistake[]> => {
    const found = readText(now)
    const listed =
      'mistakes' in found
        ? found.mistakes
        : await put(withTenant(found.document), { dry_run: true }).then(
            () => [],
            (error: unknown) => toMistakes(error, now),
          )
    // Without a list, the check itself failed: the last list stays.
    if (listed === null) return mistakes
    // A later check may answer first.
    if (now === latestText.current) setMistakes(listed)
    return listed
  }
  const apply = useMutation({
    mutationFn: async ({ document }: Planned) => {
      try {
        return await put(document, { expect_version: version })
      } catch (error) {
        await readNewer(error)
        throw error
      }
    },
    onSuccess: (applied, { text: sent }) => {
      queries.setQueryData(['account-document', tenantId], { text: sent, version: applied.version })
      setEdited((now) => (now === sent ? null : now))
      setPlanned(null)
      setShown(null)
      return queries.invalidateQueries()
    },
  })
  const read = () => {
    const found = readText(text)
    if ('mistakes' in found) setMistakes(found.mistakes)
    else plan.mutate({ document: withTenant(found.document), text })
  }
  const show = (version: Version | null) => {
    plan.reset()
    setShown(version)
  }
  // Mistakes of the text are in a list of their own.
  const isListed = mistakes.length > 0 && typeof plan.variables !== 'number'
  const failure = (
    <>
      {replaced !== null && (
        <div className="state err" role="alert">
          <h2>The account has changed since you opened it.</h2>
          <p>
            {version !== replaced && `Version ${version} is in use now. `}
            {isEdited
              ? 'We kept your text. It doesn’t include the newer changes and may undo them. Choose Plan to see what it would change now.'
              : 'If you still want to go back to another version, choose it again.'}
          </p>
        </div>
      )}
      {plan.error && !isListed && !isConflict(plan.error) && <ProblemView error={plan.error} />}
    </>
  )

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
            setPlanned(null)
            setShown(null)
          }}
        />
      </>
    )
  }
  if (shown) {
    return (
      <>
        {failure}
        <VersionView shown={shown} current={version} goBack={plan.mutate} close={() => show(null)} />
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
            disabledReason={!isEdited && 'You haven’t changed anything.'}
            onClick={() => {
              setEdited(null)
              setReplaced(null)
            }}
          >
            Undo all
          </ActionButton>
          <ActionButton type="button" className="b next" busy={plan.isPending} onClick={read}>
            Plan
          </ActionButton>
        </span>
      </div>
      {mistakes.length > 0 && <Mistakes list={mistakes} jump={(line) => setJump({ line })} />}
      {failure}
      <div className="editor-grid">
        <div className="editor">
          <YamlEditor
            label="The document"
            text={text}
            jump={jump}
            onText={(now) => {
              if (plan.isError) plan.reset()
              setEdited(now === inUse ? null : now)
            }}
            onPlace={(now, offset) => setFields(fieldsAt(now, offset))}
            findMistakes={findMistakes}
          />
        </div>
        <div className="stack-of-cards">
          <History current={version} show={show} goBack={plan.mutate} />
          <SchemaHelp fields={fields} />
        </div>
      </div>
    </>
  )
}

function isConflict(error: unknown): boolean {
  return error !== null && toProblem(error).code === 'version_conflict'
}

function withTenant(document: Record<string, unknown>): Document {
  return { ...document, tenant_id: String(document.tenant_id ?? '') }
}

/** The API's mistakes in the order of the lines; null if the request failed for another reason. */
function toMistakes(error: unknown, text: string): Mistake[] | null {
  if (!(error instanceof Problem) || error.errors.length === 0) return null
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
