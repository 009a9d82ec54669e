import { join } from 'node:path'
import { isTypeReferenceNode, type Node } from 'typescript/unstable/ast'
import * as ts from 'typescript/unstable/sync'
import { afterAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../support/root.ts'

// The paths of declarations are in lower case where those of files have no case.
const dist = join(root, 'dist/').toLowerCase()
const entries = Object.entries(packageJson.exports).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [{ name, types: join(root, fileOf(entry)) }],
)
const api = new ts.API({ cwd: root })
afterAll(() => api.close())
const snapshot = api.updateSnapshot({ openFiles: entries.map(({ types }) => types) })
const project = snapshot.getDefaultProjectForFile(entries[0]?.types as string) as ts.Project
const { checker, program } = project
const { Interface, Class, TypeAlias, Alias, Value } = ts.SymbolFlags

// `declaration: true` of a project writes the types that its helpers return: those that have no name in an entry are an error.
test.each(entries)('$name exports each type that its exports return and take', ({ types }) => {
  const exported = exportsOf(types)

  const unnamed = [...reachableTypes(exported)].filter((symbol) => !exported.has(symbol))
  expect(exported.size).toBeGreaterThan(0)
  expect(unnamed.map(({ name }) => name)).toEqual([])
})

function exportsOf(file: string): Set<ts.Symbol> {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  const symbols = module ? checker.getExportsOfModule(module) : []
  return new Set(symbols.map(aliased))
}

function aliased(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** The interfaces, classes and exported aliases of this package. Other aliases are written out. */
function reachableTypes(symbols: Iterable<ts.Symbol>): Set<ts.Symbol> {
  const found = new Set<ts.Symbol>()
  const waiting = [...symbols].flatMap(typesOf)
  const seen = new Set(waiting)
  for (const type of waiting) {
    const names = [type.getSymbol(), type.getAliasSymbol(), ...namesIn(type)].filter(needsName)
    for (const symbol of names) found.add(symbol)
    for (const next of [...typesIn(type), ...names.flatMap(typesOf)]) {
      if (!seen.has(next)) waiting.push(next)
      seen.add(next)
    }
  }
  return found
}

function needsName(symbol: ts.Symbol | undefined): symbol is ts.Symbol {
  if (!symbol || symbol.declarations.length === 0 || !isOurs(symbol)) return false
  if (symbol.flags & (Interface | Class)) return true
  const isExported = symbol.getParent()?.getExports().get(symbol.escapedName) === symbol
  return (symbol.flags & TypeAlias) !== 0 && isExported
}

function isOurs(symbol: ts.Symbol): boolean {
  return symbol.declarations.every(({ path }) => path.toLowerCase().startsWith(dist))
}

/** The aliases that its signatures write, which their types forget: `now?: Time` is `string | Date | undefined`. */
function namesIn(type: ts.Type): ts.Symbol[] {
  const symbol = type.getSymbol()
  if (!symbol || !isOurs(symbol)) return []
  const signatures = signaturesOf(type).flatMap(({ declaration }) => declaration ?? [])
  const properties = checker.getPropertiesOfType(type).flatMap((it) => it.declarations)
  return [...signatures, ...properties].flatMap((declaration) => {
    const names: ts.Symbol[] = []
    const visit = (node: Node): void => {
      const named = isTypeReferenceNode(node) && checker.getSymbolAtLocation(node.typeName)
      if (named) names.push(aliased(named))
      node.forEachChild(visit)
    }
    declaration.resolve()?.forEachChild(visit)
    return names
  })
}

const signaturesOf = (type: ts.Type) => checker.getSignaturesOfType(type, ts.SignatureKind.Call)

/** The type that a symbol declares, and the type of its value. */
function typesOf(symbol: ts.Symbol): ts.Type[] {
  const declared = symbol.flags & (Interface | Class | TypeAlias)
  const value = symbol.flags & Value ? checker.getTypeOfSymbol(symbol) : undefined
  return [...(declared ? [checker.getDeclaredTypeOfSymbol(symbol)] : []), ...(value ? [value] : [])]
}

function typesIn(type: ts.Type): readonly ts.Type[] {
  const given = [
    ...type.getAliasTypeArguments(),
    ...(type.isTypeReference() ? checker.getTypeArguments(type) : []),
  ]
  if (type.isUnionType() || type.isIntersectionType()) return [...given, ...(type.getTypes() ?? [])]
  const symbol = type.getSymbol()
  // A type of another package refers to our types only by its type arguments.
  if (!symbol || !isOurs(symbol)) return given
  const called = signaturesOf(type)
    .flatMap((signature) => [
      ...signature
        .getTypeParameters()
        .flatMap((it) => checker.getConstraintOfTypeParameter(it) ?? []),
      ...signature.getParameters().flatMap((it) => checker.getTypeOfSymbol(it) ?? []),
      checker.getReturnTypeOfSignature(signature) ?? [],
    ])
    .flat()
  const properties = checker
    .getPropertiesOfType(type)
    .flatMap((it) => checker.getTypeOfSymbol(it) ?? [])
  return [...given, ...called, ...properties]
}

function fileOf({ types }: { readonly types: string | { readonly default: string } }): string {
  return typeof types === 'string' ? types : types.default
}
