import { Project, type ts as Ts, ts } from 'ts-morph'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** The schemas of the types of a module, and those that they refer to by name. */
export interface TypeSchemas {
  /** By the name of an exported type, and by the name of its property */
  readonly types: Readonly<Record<string, Readonly<Record<string, JsonSchema | null>>>>
  readonly components: Readonly<Record<string, JsonSchema>>
}

/**
 * Describes the properties of the types that a module exports. Doc comments become descriptions. A property that is
 * always undefined has no schema, which is null.
 *
 * @param text the module
 * @param place the path that it would have, from which it imports
 */
export function describeTypes(text: string, place: string, tsConfigFilePath: string): TypeSchemas {
  const project = new Project({ tsConfigFilePath, skipAddingFilesFromTsConfig: true })
  const file = project.createSourceFile(place, text)
  const checker = project.getTypeChecker().compilerObject
  const describer = new Describer(checker)
  const types = file.getTypeAliases().map((alias) => {
    const properties = checker.getPropertiesOfType(alias.getType().compilerType)
    const schemas = properties.map((property) => [property.name, describer.property(property)])
    return [alias.getName(), Object.fromEntries(schemas)]
  })
  return { types: Object.fromEntries(types), components: describer.components }
}

const { TypeFlags: Flag, SymbolFlags } = ts

/** Spans of time and chances need no whole numbers. All other numbers are integers. */
const fractions =
  /^(?:ms|\w+_ms|\w+_s|min|max|probability|milliseconds|seconds|minutes|hours|days)$/

/** Types that stand beside an exact one only to let JSON modules compile. */
const looserTypes = ['SettingsJson', 'ScenarioJson']

const nameOf = ({ aliasSymbol, symbol }: Ts.Type) => (aliasSymbol ?? symbol)?.name ?? ''

class Describer {
  readonly components: Record<string, JsonSchema> = {}
  readonly #named = new Map<string, Ts.Type>()
  readonly #checker: Ts.TypeChecker

  constructor(checker: Ts.TypeChecker) {
    this.#checker = checker
  }

  property(symbol: Ts.Symbol): JsonSchema | null {
    const schema = this.#schema(this.#checker.getTypeOfSymbol(symbol), symbol.name)
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker))
    return schema && text !== '' ? { ...schema, description: text } : schema
  }

  #schema(type: Ts.Type, property: string): JsonSchema | null {
    const is = (flags: number) => (type.flags & flags) !== 0
    if (is(Flag.Undefined | Flag.Void | Flag.Never)) return null
    if (is(Flag.Any | Flag.Unknown)) return {}
    if (is(Flag.Null)) return { type: 'null' }
    if (is(Flag.Boolean)) return { type: 'boolean' }
    if (is(Flag.BooleanLiteral)) {
      return { type: 'boolean', enum: [this.#checker.typeToString(type) === 'true'] }
    }
    if (type.isStringLiteral()) return { type: 'string', enum: [type.value] }
    if (type.isNumberLiteral()) return { type: 'integer', enum: [type.value] }
    if (is(Flag.String | Flag.TemplateLiteral)) return { type: 'string' }
    if (is(Flag.Number)) return { type: fractions.test(property) ? 'number' : 'integer' }
    // A type such as `string & {}`, which editors show beside its known values.
    if (type.isIntersection() && type.types.some(({ flags }) => flags & Flag.String)) {
      return { type: 'string' }
    }
    return this.#nameable(type, property)
  }

  /** A type with a name is described once, and referred to. */
  #nameable(type: Ts.Type, property: string): JsonSchema {
    const name = nameOf(type)
    if (type.isUnion() && this.#isAnyJson(type)) return {}
    if (name === 'Date') return { type: 'string', format: 'date-time' }
    if (name === 'Har') return { type: 'object', description: 'An archive in the format HAR 1.2.' }
    const isGeneric = (type.aliasTypeArguments ?? this.#argumentsOf(type)).length > 0
    if (name === '' || name.startsWith('__') || isGeneric) return this.#describe(type, property)
    const known = this.#named.get(name)
    if (known !== undefined && known !== type) throw new Error(`Two types have the name ${name}.`)
    if (known === undefined) {
      this.#named.set(name, type)
      this.components[name] = {}
      this.components[name] = this.#describe(type, property)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** A text, a number or a list, and more. A union with undefined does not have the name of the type any more. */
  #isAnyJson({ types }: Ts.UnionType): boolean {
    const has = (flag: number) => types.some(({ flags }) => flags & flag)
    return (
      has(Flag.String) && has(Flag.Number) && types.some((type) => this.#checker.isArrayType(type))
    )
  }

  #describe(type: Ts.Type, property: string): JsonSchema {
    if (type.isUnion()) {
      const types = type.types.filter((member) => !looserTypes.includes(nameOf(member)))
      return this.#union(types, property)
    }
    const [item] = this.#argumentsOf(type)
    if (this.#checker.isArrayType(type) && item) {
      return { type: 'array', items: this.#schema(item, property) ?? {} }
    }
    if (this.#checker.isTupleType(type)) return { type: 'array', items: {} }
    return this.#object(type, property)
  }

  #argumentsOf(type: Ts.Type): readonly Ts.Type[] {
    const isReference = 'target' in type && (type.flags & Flag.Object) !== 0
    return isReference ? this.#checker.getTypeArguments(type as Ts.TypeReference) : []
  }

  /** The values of one type are one enumeration. One type and null are a type that can be null. */
  #union(types: readonly Ts.Type[], property: string): JsonSchema {
    const schemas: JsonSchema[] = types.flatMap<JsonSchema>(
      (type) => this.#schema(type, property) ?? [],
    )
    const literals: SchemaOfValues[] = schemas.filter(hasValues)
    const valuesOf = (name: string) =>
      literals.flatMap((schema) => (schema.type === name ? schema.enum : [])).toSorted()
    const [texts = [], numbers = [], flags = []] = ['string', 'integer', 'boolean'].map(valuesOf)
    // A number beside its text is the same value, which responses have as text.
    const isText = numbers.length > 0 && numbers.every((number) => texts.includes(String(number)))
    const accepted = isText && { 'x-accepts': [{ type: 'integer', enum: numbers }] }
    const enumerations = [
      ...(texts.length > 0 ? [{ type: 'string', enum: texts, ...accepted }] : []),
      ...(numbers.length > 0 && !isText ? [{ type: 'integer', enum: numbers }] : []),
      ...(flags.length > 0
        ? [{ type: 'boolean', ...(flags.length === 1 && { enum: flags }) }]
        : []),
    ]
    // The order in which TypeScript lists them changes with other code.
    const others = schemas
      .filter((schema) => !hasValues(schema) && schema.type !== 'null')
      .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
    const members: JsonSchema[] = [...enumerations, ...others]
    const isNullable = schemas.some(({ type }) => type === 'null')
    const [first, second] = members
    if (!isNullable) return second ? { anyOf: members } : (first ?? {})
    if (second || !first?.type) return { anyOf: [...members, { type: 'null' }] }
    return {
      ...first,
      type: [first.type, 'null'],
      ...(hasValues(first) && { enum: [...first.enum, null] }),
    }
  }

  #object(type: Ts.Type, property: string): JsonSchema {
    const [index] = this.#checker.getIndexInfosOfType(type)
    const properties: Record<string, JsonSchema> = {}
    const required: string[] = []
    for (const symbol of this.#checker.getPropertiesOfType(type)) {
      const { name, flags } = symbol
      const schema = this.property(symbol)
      if (schema === null) continue
      properties[name] = schema
      // JSON leaves out undefined, which an unknown value can be.
      const isUnknown = (this.#checker.getTypeOfSymbol(symbol).flags & Flag.Unknown) !== 0
      if (!isUnknown && (flags & SymbolFlags.Optional) === 0) required.push(name)
    }
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: this.#schema(index.type, property) ?? {} }),
    }
  }
}

type SchemaOfValues = JsonSchema & { readonly enum: unknown[] }

function hasValues(schema: JsonSchema): schema is SchemaOfValues {
  return Array.isArray(schema.enum)
}
