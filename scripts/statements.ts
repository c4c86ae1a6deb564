import { dirname, join } from 'node:path/posix'
import ts from 'typescript'
import { type Binding, bindingOf } from './account-bound.ts'

export type Source = { path: string; text: string }
/** `name`: that of the prepared statement, or of the function or constant that has the text. */
export type Statement = { name: string; path: string; texts: readonly string[]; binding: Binding }

const SQL = new RegExp(
  '^\\s*(?:' +
    [
      'with (?:recursive )?[\\w…]+(?: ?\\([^)]*\\))? as ',
      'select(?: |$)',
      'insert into ',
      'update [\\w…]+ (?:as \\w+ )?set ',
      'delete from ',
      'create ',
      '(?:alter|drop|truncate|lock) (?:table|trigger|index) ',
      'set (?:local )?[a-z_.]+ =',
      '(?:un)?listen [^a-z]',
    ]
      .join('|')
      .replaceAll(' ', '\\s+') +
    ')',
)
/** More combinations of a statement's optional parts are not read. */
const MAX_VARIANTS = 64
/** What stands for a part that only exists at run time. */
const COMPUTED = '…'

/** Every SQL statement of the sources, by file and name. Forms of one statement, as for Citus, are one. */
export function findStatements(sources: readonly Source[]): Statement[] {
  const files = new Map(
    sources.map(({ path, text }) => [path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)]),
  )
  const found: { name: string; path: string; texts: readonly string[]; owner: ts.Node | undefined }[] = []
  const parts = new Set<ts.Node>()
  for (const [path, file] of files) {
    visit(file, (node) => {
      if (!isSentCall(node) && (!isText(node) || isPart(node))) return
      const texts = variants(node, { files, given: new Map(), parts, isInText: false })
      if (!texts.some((text) => SQL.test(text))) return
      found.push({ name: nameOf(node, file), path, texts, owner: ownerOf(node) })
    })
  }
  const whole = found.filter(({ owner }) => !owner || !parts.has(owner))
  const byName = Map.groupBy(whole, ({ path, name }) => `${path} ${name}`)
  return [...byName.values()].map((forms) => {
    const { name, path } = forms[0] as (typeof forms)[number]
    const texts = forms.flatMap((form) => form.texts)
    return { name, path, texts, binding: weakest(texts.map(bindingOf)) }
  })
}

function weakest(bindings: readonly Binding[]): Binding {
  return (['unbound', 'account'] as const).find((binding) => bindings.includes(binding)) ?? 'no table'
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  node.forEachChild((child) => visit(child, look))
}

type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression

const isText = (node: ts.Node): node is Text => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** A function that makes the text of a statement, where it is called. */
function isSentCall(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'text'
  return (
    ts.isCallExpression(parent) &&
    parent.arguments[0] === node &&
    /\.query$/.test(parent.expression.getText())
  )
}

/** Whether a text is part of another template. */
function isPart(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isTemplateSpan(at)) return true
    if (ts.isStatement(at)) return false
  }
  return false
}

function nameOf(node: ts.Node, file: ts.SourceFile): string {
  for (let at = node.parent; at; at = at.parent) {
    const name = ts.isObjectLiteralExpression(at) && nameIn(at)
    if (name) return name
  }
  const owner = ownerOf(node)
  if (!owner) return file.fileName
  const constant = ts.isVariableDeclaration(owner.parent) ? owner.parent.name.getText() : undefined
  return (
    (constant && namedBy(constant, file)) || (constant ?? (owner as ts.FunctionDeclaration).name?.text ?? '')
  )
}

/** The function at the top of the file, or the value of the constant there, that a text is in. */
function ownerOf(node: ts.Node): ts.Node | undefined {
  for (let at = node; at.parent; at = at.parent) {
    if (ts.isFunctionDeclaration(at) && ts.isSourceFile(at.parent)) return at
    if (ts.isVariableDeclaration(at.parent) && ts.isSourceFile(at.parent.parent.parent.parent)) return at
  }
  return undefined
}

function nameIn(object: ts.ObjectLiteralExpression): string | undefined {
  const value = propertyOf(object, 'name')
  return value && ts.isStringLiteralLike(value) && propertyOf(object, 'text') ? value.text : undefined
}

function propertyOf(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const found = object.properties.find((one) => one.name?.getText() === name)
  if (found && ts.isShorthandPropertyAssignment(found)) return found.name
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined
}

/** The name under which a constant's text is prepared. */
function namedBy(constant: string, file: ts.SourceFile): string | undefined {
  let found: string | undefined
  visit(file, (node) => {
    if (!ts.isObjectLiteralExpression(node)) return
    const text = propertyOf(node, 'text')
    if (text && new RegExp(`\\b${constant}\\b`).test(text.getText())) found ??= nameIn(node)
  })
  return found
}

type Files = ReadonlyMap<string, ts.SourceFile>
type Reading = {
  files: Files
  /** What the parameters of the function being read stand for. */
  given: ReadonlyMap<string, readonly string[]>
  /** Collects the constants and functions whose text is part of another one. */
  parts: Set<ts.Node>
  isInText: boolean
}

/** The texts that an expression may have: with and without its optional parts. */
function variants(node: ts.Node, reading: Reading): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isParenthesizedExpression(node)) return variants(node.expression, reading)
  if (ts.isConditionalExpression(node))
    return [node.whenTrue, node.whenFalse].flatMap((one) => variants(one, reading))
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce<readonly string[]>(
      (texts, { expression, literal }) => {
        const read = variants(expression, { ...reading, isInText: true })
        const some = texts.length * read.length > MAX_VARIANTS ? [COMPUTED] : read
        return texts.flatMap((text) => some.map((part) => text + part + literal.text))
      },
      [node.head.text],
    )
  if (ts.isIdentifier(node)) return reading.given.get(node.text) ?? constantOf(node, reading)
  return ts.isCallExpression(node) ? callOf(node, reading) : [COMPUTED]
}

function constantOf(node: ts.Identifier, reading: Reading): readonly string[] {
  const value = declared(node.text, node.getSourceFile(), reading.files)
  if (!value || ts.isFunctionLike(value)) return [COMPUTED]
  if (reading.isInText) reading.parts.add(value)
  return variants(value, { ...reading, given: new Map() })
}

function callOf({ expression, arguments: args }: ts.CallExpression, reading: Reading): readonly string[] {
  if (!ts.isIdentifier(expression)) return [COMPUTED]
  const called = declared(expression.text, expression.getSourceFile(), reading.files)
  const body = called && ts.isFunctionLike(called) && returned(called)
  if (!body) return [COMPUTED]
  if (reading.isInText) reading.parts.add(called)
  const given = called.parameters.map(
    ({ name }, index) => [name.getText(), args[index] ? variants(args[index], reading) : [COMPUTED]] as const,
  )
  return variants(body, { ...reading, given: new Map(given) })
}

function returned(called: ts.SignatureDeclaration): ts.Node | undefined {
  const body = (called as ts.ArrowFunction | ts.FunctionDeclaration).body
  if (!body || !ts.isBlock(body)) return body
  const [only, ...more] = body.statements
  return only && more.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined
}

/** The value of a constant, or a function, at the top of the file or of the file it is imported from. */
function declared(name: string, file: ts.SourceFile, files: Files): ts.Node | undefined {
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement
    if (ts.isVariableStatement(statement))
      for (const one of statement.declarationList.declarations)
        if (one.name.getText() === name && one.initializer) return one.initializer
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const bindings = statement.importClause?.namedBindings
    const imported =
      bindings && ts.isNamedImports(bindings) && bindings.elements.find((one) => one.name.text === name)
    if (!imported) continue
    const from = files.get(join(dirname(file.fileName), statement.moduleSpecifier.text))
    return from && declared((imported.propertyName ?? imported.name).text, from, files)
  }
  return undefined
}
