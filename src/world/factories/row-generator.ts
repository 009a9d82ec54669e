import type { Faker, Randomizer } from '@faker-js/faker'
import { faker } from '@faker-js/faker/locale/en'
import { factory, nullable, primaryKey } from '@mswjs/data'
import { inspectValue, UsageError } from '../../utils/errors.ts'
import { mapValues } from '../../utils/json.ts'
import { parseDateTime } from '../../utils/python.ts'
import { mixBits } from '../../utils/seeded-random.ts'
import { entities } from '../entities/entities.ts'
import { type Entity, type Field, type ReferencedList, usualValue } from '../entities/field.ts'
import { toRowJson } from '../load/export-world.ts'
import { type ListName, worldLists } from '../tables.ts'
import type { PartialRow, Row } from '../world-json.ts'
import { type Column, type ColumnContext, columns, type ModelRow } from './columns.ts'

// Only this folder imports @mswjs/data and faker. Importing them takes a quarter of a second.

interface RowGeneratorOptions {
  readonly seed: number
  /** ISO 8601 */
  readonly now: string
  /** The first free id of each list; default: 1 */
  readonly nextIds?: { readonly [list: string]: number }
}

function listsOf<T>(create: (list: ListName) => T): { readonly [List in ListName]: T } {
  return Object.fromEntries(worldLists.map((list) => [list, create(list)])) as never
}

const references = listsOf((list): (Field & { readonly list: ReferencedList })[] =>
  entities[list].written.flatMap((field) => (field.list ? [{ ...field, list: field.list }] : [])),
)

/** Whether a row must refer to another one. */
function isNeeded(field: Omit<Field, 'list'>) {
  return !field.nullable && field.inFiles !== 'maybe'
}

function idName(list: ListName): string {
  return list === 'keys' ? 'value' : 'id'
}

/**
 * Generates complete rows, one after the other, by the models of all lists. If there is no row that a row must refer to,
 * it is generated, too.
 *
 * @example new RowGenerator({ seed: 1, now }).create('annotations', { content: 'Launch' })
 */
export class RowGenerator {
  readonly #seed: number
  readonly #fake: Faker
  readonly #database: Database
  readonly #nextIds: Map<string, number>
  readonly #rows = listsOf(() => [] as ModelRow[])
  /** The same by id: the models would search for it. */
  readonly #byId = listsOf(() => new Map<unknown, ModelRow>())
  /** The rows of each list that refer to a row. */
  readonly #referring = new Map<ModelRow, { [List in ListName]?: ModelRow[] }>()
  readonly #given = new Map<ModelRow, object>()
  #current: RowInProgress | null = null

  constructor({ seed, now, nextIds = {} }: RowGeneratorOptions) {
    this.#seed = seed
    this.#fake = createFaker(Date.parse(parseDateTime(now)))
    this.#database = createDatabase(() => this.#current as RowInProgress)
    this.#nextIds = new Map(Object.entries(nextIds))
  }

  /**
   * Creates a row. Its values depend on the seed, its list and its id, and on the rows that it refers to.
   *
   * @param given the fields that are not generated
   * @param index the position of a row within a batch, whose rows refer to all rows of other lists. Without it, a row
   *   refers to the first one
   * @throws UsageError for an id that a row of the list has
   */
  create<List extends ListName>(list: List, given: PartialRow<List>, index?: number): ModelRow {
    for (const { list: needed, ...field } of references[list]) {
      if (isNeeded(field) && !this.#rows[needed].some(isActive)) this.create(needed, {})
    }
    const row = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const id = this.#countId(list, row)
    this.#refuseRepeated(list, row)
    this.#fake.seed([this.#seed, worldLists.indexOf(list), id])
    const related = this.#relate(list, row, index)
    this.#current = { id, fake: this.#fake, row: { ...row }, related }
    const created = this.#database[list].create({ ...mapValues(related, idsOf), ...row })
    this.#given.set(created, row)
    this.#rows[list].push(created)
    this.#byId[list].set(created[idName(list)], created)
    for (const target of references[list].flatMap(({ name }) => related[name] ?? [])) {
      const referring = this.#referring.get(target) ?? {}
      this.#referring.set(target, referring)
      referring[list] ??= []
      referring[list].push(created)
    }
    return created
  }

  /** The rows of a list in the world format, in the order in which they were created. */
  list<List extends ListName>(list: List): Row<List>[] {
    return this.#rows[list].map((row) => this.toJson(list, row))
  }

  /** A row in the world format: what the model has, and the given fields as they are. */
  toJson<List extends ListName>(list: List, row: ModelRow): Row<List> {
    const { written, create } = entities[list] as Entity
    const values: Record<string, unknown> = {}
    for (const { name } of written) {
      const value = row[name]
      if (value !== undefined) values[name] = structuredClone(value)
    }
    const json = create<object>({ ...values, ...this.#given.get(row) })
    return toRowJson(list, json) as Row<List>
  }

  count(list: ListName): number {
    return this.#rows[list].length
  }

  nextIds(lists: readonly string[]): { [list: string]: number } {
    return Object.fromEntries(lists.map((list) => [list, this.#nextIds.get(list) ?? 1]))
  }

  /** The rows that a row refers to: the given ones, those that fit to each other, or any. */
  #relate(
    list: ListName,
    row: Readonly<Record<string, unknown>>,
    index: number | undefined,
  ): ColumnContext['related'] {
    const fake = this.#fake
    const values: Record<string, ModelRow | ModelRow[] | null | undefined> = {}
    for (const { name, list: target } of references[list]) {
      const id = row[name]
      const find = (reference: unknown) => this.#byId[target].get(reference)
      if (Array.isArray(id)) values[name] = id.map(find).filter((row) => row !== undefined)
      else if (id !== undefined) values[name] = id === null ? null : find(id)
    }

    /** The rows of a batch use each row once, then the first one with a probability of 1/3, else a random one. */
    function choose(rows: readonly ModelRow[]): ModelRow | undefined {
      if (index === undefined || rows.length === 0) return rows[0]
      const drawn = fake.datatype.boolean(1 / 3) ? rows[0] : fake.helpers.arrayElement(rows)
      return rows[index] ?? drawn
    }

    const fitting = relatedRows[list]?.({
      given: values as SingleRows,
      scope: row.scope,
      fake,
      rows: (target) => this.#rows[target],
      rowsOf: (target, of) => (of && this.#referring.get(of)?.[target]) ?? [],
      projectOf: (of) => this.#byId.projects.get(of?.project),
      organizationOf: (of) => this.#byId.organizations.get(of?.organization),
      choose,
    })
    const related: Record<string, ColumnContext['related'][string]> = { ...fitting, ...values }
    for (const field of references[list]) {
      const { name, kind } = field
      if (name in related) continue
      const chosen = isNeeded(field) ? choose(this.#rows[field.list].filter(isActive)) : null
      related[name] = kind === 'references' ? (chosen ? [chosen] : []) : chosen
    }
    return related
  }

  #refuseRepeated(list: ListName, row: Readonly<Record<string, unknown>>) {
    const id = row[idName(list)]
    if (id === undefined || !this.#byId[list].has(id)) return
    const message = `Failed to create a row of ${list}: expected an unused ${idName(list)}, got ${inspectValue(id)}.`
    throw new UsageError(message, idName(list))
  }

  #countId(list: ListName, given: Readonly<Record<string, unknown>>) {
    const nextId = this.#nextIds.get(list) ?? 1
    const id = typeof given.id === 'number' ? given.id : nextId
    this.#nextIds.set(list, Math.max(nextId, id + 1))
    return id
  }
}

type SingleRow = ModelRow | null | undefined
type SingleRows = Readonly<Record<string, SingleRow>>

function idsOf(to: unknown): unknown {
  return Array.isArray(to) ? to.map(({ id }) => id) : ((to as SingleRow)?.id ?? null)
}

interface RelationContext {
  /** The rows that the given fields refer to. The field of an unknown row is undefined */
  readonly given: SingleRows
  readonly scope?: unknown
  readonly fake: Faker
  rows(list: ReferencedList): readonly ModelRow[]
  /** The rows of a list that refer to a row, such as the projects of an organization. */
  rowsOf(list: ReferencedList, row: SingleRow): readonly ModelRow[]
  /** The row that a row refers to. */
  projectOf(row: SingleRow): ModelRow | undefined
  organizationOf(row: SingleRow): ModelRow | undefined
  /** Chooses a row to refer to. @returns undefined if there is none */
  choose(rows: readonly ModelRow[]): ModelRow | undefined
}

/**
 * The rows of a row that depend on each other. Any other reference that a row must have leads
 * to any row of its list.
 */
const relatedRows: {
  readonly [List in ListName]?: (context: RelationContext) => SingleRows
} = {
  /** The plugin is one of the organization of the project. */
  plugin_configs({ given, rows, rowsOf, organizationOf, choose }) {
    const [fitting] = rowsOf('plugins', organizationOf(given.project))
    const plugin = given.plugin ?? fitting ?? choose(rows('plugins'))
    const project = choose(rowsOf('projects', organizationOf(plugin))) ?? choose(rows('projects'))
    return { plugin, project }
  },

  /** The dashboard item is one of the project, and the user a member of its organization. */
  annotations({ given, scope, fake, rows, rowsOf, projectOf, organizationOf, choose }) {
    const project = given.project ?? projectOf(given.dashboard_item) ?? choose(rows('projects'))
    const isDrawn = fake.datatype.boolean(0.7)
    const isOfItem = scope === undefined ? isDrawn : scope === 'dashboard_item'
    return {
      project,
      dashboard_item: isOfItem ? choose(rowsOf('dashboard_items', project)) : null,
      created_by: choose(rowsOf('users', organizationOf(project)).filter(isActive)),
    }
  },

  /** The plugin is one of the organization, and the user a member. */
  activity({ given, rows, rowsOf, organizationOf, choose }) {
    const project = given.project === undefined ? choose(rows('projects')) : given.project
    const organization =
      given.organization ?? organizationOf(project) ?? choose(rows('organizations'))
    return {
      project,
      organization,
      user: choose(rowsOf('users', organization).filter(isActive)),
      plugin: choose(rowsOf('plugins', organization)),
    }
  },
}

/** Whether other rows can refer to a row: to all but inactive users. */
function isActive({ is_active = true }: ModelRow) {
  return is_active
}

/** The row that is being created: what it depends on, and its given fields with the columns so far. */
interface RowInProgress extends ColumnContext {
  readonly row: Record<string, unknown>
}

type Database = { readonly [List in ListName]: { create(values: object): ModelRow } }

/** Creates a model of each list. @param current the row in progress */
function createDatabase(current: () => RowInProgress) {
  const models = worldLists.map((list) => [list, createModel(list, current)])
  const database: unknown = factory(Object.fromEntries(models))
  return database as Database
}

function createModel(list: ListName, current: () => RowInProgress): object {
  const { fields, written }: Entity = entities[list]
  const named = columns[list] as Readonly<Record<string, Column>>
  const toColumn = (field: Field) => () => {
    const { row, id } = current()
    const usual = (): unknown => (field.kind === 'id' ? id : usualValue(field))
    row[field.name] = (named[field.name] ?? usual)(row as never, current())
    return row[field.name] as string
  }
  const key = idName(list)
  const model: Record<string, unknown> = { [key]: primaryKey(toColumn(fields[key] as Field)) }
  // Those that look real come first: others can depend on them.
  for (const name of new Set([...Object.keys(named), ...written.map((field) => field.name)])) {
    const field = fields[name] as Field
    if (name !== key && (field.inFiles !== 'maybe' || field.usual !== undefined))
      model[name] = nullable(toColumn(field))
  }
  return model
}

/**
 * Creates an independent faker with dates before `now`. `locale/en` exports only a shared instance. Taking the class from
 * it is five times as fast as importing the class.
 */
function createFaker(now: number) {
  const FakerClass = faker.constructor as typeof Faker
  const fake = new FakerClass({ locale: faker.rawDefinitions, randomizer: createRandomizer() })
  fake.setDefaultRefDate(now)
  return fake
}

/** Seeding faker's own source of numbers takes longer than generating a row. */
function createRandomizer(): Randomizer {
  let state = 0
  return {
    seed(seed) {
      state = [seed].flat().reduce((mixed, part) => mixBits(mixed ^ mixBits(part)), 0)
    },
    next() {
      state = mixBits(state)
      return state / 2 ** 32
    },
  }
}
