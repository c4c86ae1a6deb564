import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { linter, lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { completeField } from './completion.ts'
import type { Mistake } from './document-text.ts'

type YamlEditorProps = {
  label: string
  text: string
  /** A new object brings the cursor to the line. */
  jump: { line: number } | null
  onText(text: string): void
  /** The cursor has moved. */
  onPlace(text: string, offset: number): void
  /** Finds the mistakes after each pause in typing. */
  findMistakes(text: string): Promise<readonly Mistake[]>
}

const PAUSE_MS = 700

/**
 * CodeMirror with line numbers, completion from the account schema and mistakes in the text. It is in a shadow root:
 * there CodeMirror adopts its style sheets, where in the page it would add style elements, which our policy forbids.
 * Tab leaves the editor, so that the keyboard is not trapped.
 */
export function YamlEditor({ label, text, jump, onText, onPlace, findMistakes }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const callbacks = useRef({ onText, onPlace, findMistakes })
  callbacks.current = { onText, onPlace, findMistakes }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; later texts are dispatched below.
  useEffect(() => {
    const { current } = host
    if (!current) return
    const root = current.shadowRoot ?? current.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: text, extensions: extensions(label, callbacks) }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    const { current } = view
    if (!current || current.state.doc.toString() === text) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => {
    const { current } = view
    if (!current || !jump) return
    const line = current.state.doc.line(Math.min(Math.max(jump.line, 1), current.state.doc.lines))
    current.dispatch({
      selection: { anchor: line.from, head: line.to },
      effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
    })
    current.focus()
  }, [jump])
  return <div ref={host} className="yaml-editor" />
}

type Callbacks = { current: Pick<YamlEditorProps, 'onText' | 'onPlace' | 'findMistakes'> }

function extensions(label: string, callbacks: Callbacks) {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    yaml(),
    syntaxHighlighting(COLOURS),
    autocompletion({ override: [completeField] }),
    keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    linter(
      async ({ state: { doc } }) =>
        (await callbacks.current.findMistakes(doc.toString())).map(({ line, message }) => {
          const { from, to } = doc.line(Math.min(line, doc.lines))
          return { from, to, message, severity: 'error' as const }
        }),
      { delay: PAUSE_MS },
    ),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) callbacks.current.onText(state.doc.toString())
      if (docChanged || selectionSet)
        callbacks.current.onPlace(state.doc.toString(), state.selection.main.head)
    }),
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      spellcheck: 'false',
      autocorrect: 'off',
    }),
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    EditorState.tabSize.of(2),
    LOOK,
  ]
}

/** The browser would keep the look of the text that is replaced in a style attribute, which our policy forbids. */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { state, composing } = view
  if (event.inputType !== 'insertText' || event.data === null || composing) return false
  if (state.selection.ranges.every(({ empty }) => empty)) return false
  event.preventDefault()
  view.dispatch(
    state.update(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true }),
  )
  return true
}

const COLOURS = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), fontWeight: '640' },
  { tag: [tags.comment, tags.meta], color: 'var(--ink-2)', fontStyle: 'italic' },
])

const LOOK = EditorView.theme({
  '&': {
    height: 'calc(100vh - 240px)',
    minHeight: '420px',
    border: '1.5px solid var(--edge)',
    borderRadius: 'var(--r2)',
    background: 'var(--sheet)',
    color: 'var(--ink)',
    fontSize: '13px',
  },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--ground)', color: 'var(--ink-2)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 5%, transparent)' },
  '&.cm-focused': { outline: '2px solid var(--ink)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--ink) 18%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--ink) 12%, transparent)' },
  '.cm-tooltip, .cm-panels': {
    background: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    maxWidth: '520px',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--ink)',
    color: 'var(--ink-inverse)',
  },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--stop)' },
  '.cm-panel button': { background: 'var(--sheet)', color: 'var(--ink)', backgroundImage: 'none' },
  '.cm-panel input': { background: 'var(--sheet)', color: 'var(--ink)' },
})
