import type { Random } from '../support/random.ts'
import { Members, mutate, toValue, type Value } from './hostile-values.ts'

/** The part of JSON Schema that the documents use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
}

/** Makes values for the schemas of one document. */
export class Values {
  readonly #resolve: (ref: string) => Schema

  constructor(resolve: (ref: string) => Schema) {
    this.#resolve = resolve
  }

  /** A value that the schema allows, as far as the walker knows its keywords. */
  valid(schema: Schema, random: Random, depth = 0): Value {
    if (schema.$ref !== undefined) return this.valid(this.#resolve(schema.$ref), random, depth)
    if (schema.const !== undefined) return toValue(schema.const)
    if (schema.enum) return toValue(random.pick(schema.enum))
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return this.valid(random.pick(choices), random, depth)
    if (schema.allOf?.[0]) return this.valid(schema.allOf[0], random, depth)
    const { type } = schema
    switch (typeof type === 'string' ? type : type ? random.pick(type) : typeWithout(schema)) {
      case 'string':
        return validText(schema, random)
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 0, Math.min(random.below(60), schema.maximum ?? 60))
      case 'boolean':
        return random.below(2) === 0
      case 'null':
        return null
      case 'array': {
        const length = depth > 4 ? 0 : random.below(3)
        return Array.from({ length }, () => this.valid(schema.items ?? {}, random, depth + 1))
      }
      case 'object':
        return this.#object(schema, random, depth)
      default:
        return random.pick([null, true, 'any', 7])
    }
  }

  /** A valid value in which one or two places are hostile. */
  nearlyValid(schema: Schema, random: Random): Value {
    return mutate(this.valid(schema, random), random)
  }

  #object(schema: Schema, random: Random, depth: number): Members {
    const { properties = {}, required = [], additionalProperties } = schema
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || (depth < 5 && random.below(3) > 0),
    )
    const entries = names.map((name): [string, Value] => [
      name,
      this.valid(properties[name] as Schema, random, depth + 1),
    ])
    if (typeof additionalProperties === 'object' && random.below(2) === 0) {
      entries.push([`key${random.below(9)}`, this.valid(additionalProperties, random, depth + 1)])
    }
    return new Members(entries)
  }
}

function typeWithout({ properties, items }: Schema): string {
  return properties ? 'object' : items ? 'array' : ''
}

function validText({ format, pattern, minLength = 0, maxLength }: Schema, random: Random): string {
  if (format === 'date-time') return `2024-0${1 + random.below(9)}-1${random.below(10)}T00:00:00Z`
  if (format === 'uuid') return '018f2b6e-0000-7000-8000-00000000000a'
  if (format === 'email') return 'ada@example.com'
  if (pattern !== undefined) return random.pick([' padded', 'padded ', 'word', '1'])
  const text = random.pick([
    '',
    'Launch',
    'Beta release',
    'Über 漢字 👍',
    'x'.repeat(maxLength ?? 40),
  ])
  return text.padEnd(minLength, 'y')
}
