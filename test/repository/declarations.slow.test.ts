import { join } from 'node:path'
import { Project, ts } from 'ts-morph'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../support/root.ts'

const dist = join(root, 'dist')
const entries = Object.entries(packageJson.exports).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [{ name, types: join(root, fileOf(entry)) }],
)
const project = new Project({
  compilerOptions: {
    module: ts.ModuleKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  },
})
for (const { types } of entries) project.addSourceFileAtPath(types)
const checker = project.getTypeChecker().compilerObject
const { Interface, Class, TypeAlias, Alias, Value } = ts.SymbolFlags

// `declaration: true` of a project writes the types that its helpers return: those that have no name in an entry are an error.
test.each(entries)('$name exports each type that its exports return and take', ({ types }) => {
  const exported = exportsOf(types)

  const unnamed = [...reachableTypes(exported)].filter((symbol) => !exported.has(symbol))

  expect(unnamed.map(({ name }) => name)).toEqual([])
})

function exportsOf(file: string): Set<ts.Symbol> {
  const module = checker.getSymbolAtLocation(project.getSourceFileOrThrow(file).compilerNode)
  const symbols = module ? checker.getExportsOfModule(module) : []
  return new Set(symbols.map((it) => (it.flags & Alias ? checker.getAliasedSymbol(it) : it)))
}

/** The interfaces, classes and exported aliases of this package. Other aliases are written out. */
function reachableTypes(symbols: Iterable<ts.Symbol>): Set<ts.Symbol> {
  const found = new Set<ts.Symbol>()
  const waiting = [...symbols].flatMap(typesOf)
  const seen = new Set(waiting)
  for (const type of waiting) {
    const names = [type.symbol, type.aliasSymbol, ...namesIn(type)].filter(needsName)
    for (const symbol of names) found.add(symbol)
    for (const next of [...typesIn(type), ...names.flatMap(typesOf)]) {
      if (!seen.has(next)) waiting.push(next)
      seen.add(next)
    }
  }
  return found
}

function needsName(symbol: ts.Symbol | undefined): symbol is ts.Symbol {
  const [declaration] = symbol?.declarations ?? []
  if (!symbol || !declaration || !isOurs(symbol)) return false
  if (symbol.flags & (Interface | Class)) return true
  const modifiers = ts.getCombinedModifierFlags(declaration)
  return (symbol.flags & TypeAlias) !== 0 && (modifiers & ts.ModifierFlags.Export) !== 0
}

function isOurs(symbol: ts.Symbol): boolean {
  return symbol.declarations?.every((it) => it.getSourceFile().fileName.startsWith(dist)) ?? false
}

/** The aliases that its signatures write, which their types forget: `now?: Time` is `string | Date | undefined`. */
function namesIn(type: ts.Type): ts.Symbol[] {
  const { symbol } = type
  if (!symbol || !isOurs(symbol)) return []
  const signatures = type.getCallSignatures().flatMap((it) => it.getDeclaration() ?? [])
  const properties = type.getProperties().flatMap((it) => it.declarations ?? [])
  return [...signatures, ...properties].flatMap((declaration) => {
    const names: ts.Symbol[] = []
    declaration.forEachChild(function visit(node): void {
      const named = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : null
      if (named) names.push(named.flags & Alias ? checker.getAliasedSymbol(named) : named)
      node.forEachChild(visit)
    })
    return names
  })
}

/** The type that a symbol declares, and the type of its value. */
function typesOf(symbol: ts.Symbol): ts.Type[] {
  const declared = symbol.flags & (Interface | Class | TypeAlias)
  return [
    ...(declared ? [checker.getDeclaredTypeOfSymbol(symbol)] : []),
    ...(symbol.flags & Value ? [checker.getTypeOfSymbol(symbol)] : []),
  ]
}

function typesIn(type: ts.Type): readonly ts.Type[] {
  const given = [
    ...(type.aliasTypeArguments ?? []),
    ...checker.getTypeArguments(type as ts.TypeReference),
  ]
  if (type.isUnionOrIntersection()) return [...given, ...type.types]
  const { symbol } = type
  // A type of another package refers to our types only by its type arguments.
  if (!symbol || !isOurs(symbol)) return given
  const called = type
    .getCallSignatures()
    .flatMap((signature) => [
      ...(signature.typeParameters ?? []).flatMap((it) => it.getConstraint() ?? []),
      ...signature.parameters.map((it) => checker.getTypeOfSymbol(it)),
      signature.getReturnType(),
    ])
  const properties = type.getProperties().map((it) => checker.getTypeOfSymbol(it))
  return [...given, ...called, ...properties]
}

function fileOf({ types }: { readonly types: string | { readonly default: string } }): string {
  return typeof types === 'string' ? types : types.default
}
