import {
  API,
  type Checker,
  TypeFlags as Flag,
  SymbolFlags,
  type Type,
  type Symbol as TypeSymbol,
} from 'typescript/unstable/sync'

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
 * @param folder its folder, whose `tsconfig.json` has this module alone
 */
export function describeTypes(module: string, folder: string): TypeSchemas {
  const api = new API()
  try {
    const config = `${folder}/tsconfig.json`
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    const file = project?.program.getSourceFile(`${folder}/${module}`)
    const symbol = file && project?.checker.getSymbolAtLocation(file)
    if (!project || !symbol) throw new Error(`Failed to read the types of ${module}.`)
    const { checker } = project
    const describer = new Describer(checker)
    const types = checker.getExportsOfModule(symbol).map((alias) => {
      const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(alias))
      const schemas = properties
        .toSorted(byDeclaration)
        .map((property) => [property.name, describer.property(property)])
      return [alias.name, Object.fromEntries(schemas)]
    })
    return { types: Object.fromEntries(types), components: describer.components }
  } finally {
    api.close()
  }
}

/** Spans of time and chances need no whole numbers. All other numbers are integers. */
const fractions =
  /^(?:ms|\w+_ms|\w+_s|min|max|probability|milliseconds|seconds|minutes|hours|days)$/

/** Types that stand beside an exact one only to let JSON modules compile. */
const looserTypes = ['SettingsJson', 'ScenarioJson']

const nameOf = (type: Type) => (type.getAliasSymbol() ?? type.getSymbol())?.name ?? ''

/** In the order of their declarations: that in which TypeScript lists them changes with other code. */
function byDeclaration(one: TypeSymbol, other: TypeSymbol): number {
  const [[a], [b]] = [one.declarations, other.declarations]
  const isSamePlace = a === undefined || b === undefined || a.path === b.path
  const order = isSamePlace ? (a?.index ?? 0) - (b?.index ?? 0) : a.path < b.path ? -1 : 1
  return order || (one.name < other.name ? -1 : 1)
}

class Describer {
  readonly components: Record<string, JsonSchema> = {}
  readonly #named = new Map<string, Type>()
  readonly #checker: Checker

  constructor(checker: Checker) {
    this.#checker = checker
  }

  property(symbol: TypeSymbol): JsonSchema | null {
    const schema = this.#schema(this.#typeOf(symbol), symbol.name)
    const text = symbol.getDocumentationComment(this.#checker)
    return schema && text !== '' ? { ...schema, description: text } : schema
  }

  #typeOf(symbol: TypeSymbol): Type {
    return this.#checker.getTypeOfSymbol(symbol) ?? this.#checker.getUnknownType()
  }

  #schema(type: Type, property: string): JsonSchema | null {
    const is = (flags: number) => (type.flags & flags) !== 0
    if (is(Flag.Undefined | Flag.Void | Flag.Never)) return null
    if (is(Flag.Any | Flag.Unknown)) return {}
    if (is(Flag.Null)) return { type: 'null' }
    if (is(Flag.Boolean)) return { type: 'boolean' }
    if (is(Flag.BooleanLiteral)) {
      return { type: 'boolean', enum: [this.#checker.typeToString(type) === 'true'] }
    }
    if (type.isStringLiteralType()) return { type: 'string', enum: [type.value] }
    if (type.isNumberLiteralType()) return { type: 'integer', enum: [type.value] }
    if (is(Flag.String | Flag.TemplateLiteral)) return { type: 'string' }
    if (is(Flag.Number)) return { type: fractions.test(property) ? 'number' : 'integer' }
    // A type such as `string & {}`, which editors show beside its known values.
    if (type.isIntersectionType() && type.getTypes().some(({ flags }) => flags & Flag.String)) {
      return { type: 'string' }
    }
    return this.#nameable(type, property)
  }

  /** A type with a name is described once, and referred to. */
  #nameable(type: Type, property: string): JsonSchema {
    const name = nameOf(type)
    if (type.isUnionType() && this.#isAnyJson(type.getTypes())) return {}
    if (name === 'Date') return { type: 'string', format: 'date-time' }
    if (name === 'Har') return { type: 'object', description: 'An archive in the format HAR 1.2.' }
    const alias = type.getAliasSymbol() && type.getAliasTypeArguments()
    const isGeneric = (alias ?? this.#argumentsOf(type)).length > 0
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
  #isAnyJson(types: readonly Type[]): boolean {
    const has = (flag: number) => types.some(({ flags }) => flags & flag)
    return (
      has(Flag.String) && has(Flag.Number) && types.some((type) => this.#checker.isArrayType(type))
    )
  }

  #describe(type: Type, property: string): JsonSchema {
    if (type.isUnionType()) {
      const types = type.getTypes().filter((member) => !looserTypes.includes(nameOf(member)))
      return this.#union(types, property)
    }
    const [item] = this.#argumentsOf(type)
    if (this.#checker.isArrayType(type) && item) {
      return { type: 'array', items: this.#schema(item, property) ?? {} }
    }
    if (this.#checker.isTupleType(type)) return { type: 'array', items: {} }
    return this.#object(type, property)
  }

  #argumentsOf(type: Type): readonly Type[] {
    return type.isTypeReference() ? this.#checker.getTypeArguments(type) : []
  }

  /**
   * The values of one type are one enumeration. One type and null are a type that can be null, but for an enumeration:
   * generators make a name of each of its values.
   */
  #union(types: readonly Type[], property: string): JsonSchema {
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
    if (second || !first?.type || hasValues(first)) return { anyOf: [...members, { type: 'null' }] }
    return { ...first, type: [first.type, 'null'] }
  }

  #object(type: Type, property: string): JsonSchema {
    const [index] = this.#checker.getIndexInfosOfType(type)
    const properties: Record<string, JsonSchema> = {}
    const required: string[] = []
    for (const symbol of this.#checker.getPropertiesOfType(type).toSorted(byDeclaration)) {
      const { name, flags } = symbol
      const schema = this.property(symbol)
      if (schema === null) continue
      properties[name] = schema
      // JSON leaves out undefined, which an unknown value can be.
      const isUnknown = (this.#typeOf(symbol).flags & Flag.Unknown) !== 0
      if (!isUnknown && (flags & SymbolFlags.Optional) === 0) required.push(name)
    }
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      ...(index && { additionalProperties: this.#schema(index.valueType, property) ?? {} }),
    }
  }
}

type SchemaOfValues = JsonSchema & { readonly enum: unknown[] }

function hasValues(schema: JsonSchema): schema is SchemaOfValues {
  return Array.isArray(schema.enum)
}
