import type { ApiCaller } from '../../http/endpoint.ts'
import { notFound } from '../../http/failures.ts'
import { ignoredParameter, type LimitOffset, type Parameter } from '../../http/parameters.ts'
import { byPolicy, type Resolvable } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { JsonText } from '../../utils/json.ts'
import { EncodedPage, type PagePart, Slice } from '../../utils/json-page.ts'
import { splitWords } from '../../utils/python/text.ts'
import {
  type Annotation,
  type AnnotationChanges,
  type AnnotationRow,
  annotation,
} from '../../world/entities/annotation.ts'
import type { Field } from '../../world/entities/field.ts'
import type { ProjectRow } from '../../world/rows.ts'
import { encodedPart } from '../../world/table/encoded-blocks.ts'
import type { TableEntry } from '../../world/table/table.ts'
import {
  deletedIndex,
  type EmbeddableTables,
  type EmbeddedRows,
  forkTables,
  organizationIndex,
  projectIndex,
  type RecentTexts,
} from '../../world/table/tables.ts'
import { foldText } from '../../world/table/text-search.ts'
import type { ApiContext } from '../context.ts'
import { createRowWriter } from '../row-text.ts'

export interface AnnotationsWorld {
  readonly annotations: Annotations
}

export class Annotations {
  readonly #context: ApiContext
  readonly #latestPage = new PageCache<Annotation>()

  constructor(context: ApiContext) {
    this.#context = context
  }

  /** A page of the annotations that a project sees, newest date_marker first. */
  list(
    project: ProjectRow,
    { limit, offset, search }: LimitOffset & { search: SearchTerms },
  ): Slice<Annotation> {
    const { tables, settings, cache, LargeRows } = this.#context
    const { versioning } = settings
    const embedded = tables.embedded.current(tables)
    const versions = [tables.annotations.version, embedded, project, versioning]
    const lists = visibleLists(project, settings)
    const key = [...versions, lists.length, limit, offset, search.join(' ')]
    return this.#latestPage.get(key, () => {
      // Later writes do not change a page that is made while it is sent.
      const source = LargeRows && limit > maxRowsAtOnce ? forkTables(tables) : tables
      const matches = source.annotations.list(lists).search(search)
      const { size } = matches
      const length = Math.min(limit, size - offset)
      // A stored page encodes its rows again, and must not keep all rows of a replaced world.
      const { organizations, users, dashboard_items } = source
      const { texts } = tables.embedded
      const embeddable = { organizations, users, dashboard_items }
      // The hits of a search would be encoded once more, and fields that a policy adds are not part of a cached text.
      const isShared = search.length === 0 && versioning === 'none'
      const serialize = (entry: TableEntry<AnnotationRow>): JsonText<Annotation> =>
        inVersion(
          serializeAnnotation(entry, embeddable, embedded, isShared ? null : texts),
          versioning,
        )
      const parts: PagePart[] = []
      if (LargeRows && length > maxRowsAtOnce) {
        parts.push(new LargeRows(matches, offset, length, serialize))
      } else if (isShared) {
        matches.encode(offset, limit, { version: embedded, cache, serialize }, parts)
      } else parts.push(encodedPart(matches.slice(offset, limit), serialize))
      const page = new EncodedPage<Annotation>(parts, cache)
      return new Slice(page, size, matches.at(offset - 1)?.row.id)
    })
  }

  findVisible(project: ProjectRow, id: number, search: SearchTerms): TableEntry<AnnotationRow> {
    const includesDeleted = this.#context.settings['annotations.deleted.visibility'] !== 'hidden'
    return this.#find(project, id, search, includesDeleted)
  }

  /** Finds an annotation to change. PATCH also finds deleted ones, to restore them. @throws Failure `not_found` */
  findToChange(project: ProjectRow, id: number, search: SearchTerms): TableEntry<AnnotationRow> {
    const includesDeleted = this.#context.settings['annotations.restore'] === 'restores'
    return this.#find(project, id, search, includesDeleted)
  }

  create(project: ProjectRow, caller: ApiCaller, body: AnnotationChanges): JsonText<Annotation> {
    const { tables, clock } = this.#context
    const now = clock.iso()
    const row = annotation.create({
      id: tables.annotations.nextId,
      created_by: caller.user.id,
      created_at: now,
      updated_at: now,
      project: project.id,
      organization: project.organization,
    })
    const entry = tables.annotations.insert({ ...row, ...body })
    return this.#serializeWritten(entry)
  }

  /**
   * Changes the fields of the body. Seen in the live service: every save sets updated_at, and moves the annotation to
   * the project of the path.
   */
  change(
    { row }: TableEntry<AnnotationRow>,
    project: ProjectRow,
    body: AnnotationChanges,
  ): JsonText<Annotation> {
    const { tables, clock } = this.#context
    const changed = { ...row, project: project.id, updated_at: clock.iso() }
    return this.#serializeWritten(tables.annotations.replace(Object.assign(changed, body)))
  }

  serialize(entry: TableEntry<AnnotationRow>): JsonText<Annotation> {
    const { tables, settings } = this.#context
    const { embedded } = tables
    const wire = serializeAnnotation(entry, tables, embedded.current(tables), embedded.texts)
    return inVersion(wire, settings.versioning)
  }

  #serializeWritten(entry: TableEntry<AnnotationRow>): JsonText<Annotation> {
    const { tables, settings } = this.#context
    return inVersion(
      serializeAnnotation(entry, tables, tables.embedded.current(tables)),
      settings.versioning,
    )
  }

  #find(
    project: ProjectRow,
    id: number,
    search: SearchTerms,
    includesDeleted: boolean,
  ): TableEntry<AnnotationRow> {
    const entry = this.#context.tables.annotations.entry(id)
    if (!entry || !isVisibleTo(project, entry.row)) {
      throw notFound({ id: 'row.missing', parent: project.id, owner: entry?.row.project })
    }
    if (entry.row.deleted && !includesDeleted) throw notFound({ id: 'row.deleted' })
    if (!matchesTerms(entry.row, search)) throw notFound({ id: 'row.unmatched' })
    return entry
  }
}

type FindAnnotation = (
  input: {
    readonly project: ProjectRow
    readonly params: { readonly id: number }
    readonly query: { readonly search: SearchTerms }
  },
  world: AnnotationsWorld,
) => TableEntry<AnnotationRow>

export const findVisibleAnnotation: FindAnnotation = (input, { annotations }) =>
  annotations.findVisible(input.project, input.params.id, input.query.search)

export const findAnnotationToChange: FindAnnotation = (input, { annotations }) =>
  annotations.findToChange(input.project, input.params.id, input.query.search)

/** Longer pages can be made while they are sent. */
export const maxRowsAtOnce = 8_192

/** Larger pages are not cached, to bound memory. */
const maxCachedBytes = 262_144

/** Caches the latest page until a row changes: a client that polls a list requests the same page repeatedly. */
class PageCache<T> {
  #key: readonly unknown[] = []
  #page: Slice<T> | null = null

  /**
   * @param key what the page depends on: versions of rows, which are other objects after a change, and parameters
   * @param create creates the page if another one is cached, or none
   */
  get(key: readonly unknown[], create: () => Slice<T>): Slice<T> {
    if (this.#page && key.every((part, index) => part === this.#key[index])) return this.#page
    this.#page?.forget()
    const page = create()
    this.#key = key
    this.#page = page.rows.bytes <= maxCachedBytes ? page : null
    return page
  }
}

/** Folded search terms. An annotation matches if its content contains all of them. */
type SearchTerms = readonly string[]

/**
 * The search parameter. Seen in the live service: commas and white space separate terms, NUL characters are ignored,
 * and quotes have no special meaning.
 */
export const search: Parameter<SearchTerms> = {
  description: 'Words that the content must contain, in any order.',
  schema: { type: 'string' },
  read: (text) =>
    text === null
      ? []
      : withoutRedundantTerms(splitWords(foldText(text.replaceAll('\0', '').replaceAll(',', ' ')))),
}

/** Removes terms that other terms contain: a content that contains `release` also contains `e`. */
function withoutRedundantTerms(terms: SearchTerms): SearchTerms {
  if (terms.length < 2) return terms
  const longestFirst = [...new Set(terms)].sort((a, b) => b.length - a.length)
  let longer = ''
  return longestFirst.filter((term) => {
    if (longer.includes(term)) return false
    longer += ` ${term}`
    return true
  })
}

/** By policy, the search parameter also filters operations on a single annotation. */
export const searchOnLookup: { readonly search: Resolvable<Parameter<SearchTerms>> } = {
  search: byPolicy('annotations.search.reach', {
    list: ignoredParameter<SearchTerms>([]),
    every_lookup: search,
  }),
}

/** The names of the lists that a project sees: its own, and the organization-wide one. */
export function visibleLists({ id, organization }: ProjectRow, settings: PolicySettings): string[] {
  const lists = [projectIndex(id), organizationIndex(organization)]
  const includesDeleted = settings['annotations.deleted.visibility'] === 'listed'
  return includesDeleted ? [...lists, ...lists.map(deletedIndex)] : lists
}

/** Whether a project sees an annotation, deleted or not. */
function isVisibleTo(project: ProjectRow, row: AnnotationRow): boolean {
  if (row.project === project.id) return true
  return row.scope === 'organization' && row.organization === project.organization
}

function matchesTerms({ content }: AnnotationRow, terms: SearchTerms): boolean {
  if (terms.length === 0) return true
  const folded = content === null ? '' : foldText(content)
  return terms.every((term) => folded.includes(term))
}

const writeAnnotation = createRowWriter<AnnotationRow, Annotation>(annotation)

/**
 * Serializes an annotation to JSON. The text of a row that is sent again is cached on its entry until the row or the
 * rows embedded in it change.
 *
 * @param texts the cache. Null for a row of a page, which caches its bytes, and for a row that was just written, which is
 * often written again before it is read
 */
export function serializeAnnotation(
  entry: TableEntry<AnnotationRow>,
  tables: EmbeddableTables,
  embedded: EmbeddedRows,
  texts: RecentTexts | null = null,
): JsonText<Annotation> {
  const { row, serialized } = entry
  if (serialized?.shown === embedded) return serialized.wire as JsonText<Annotation>
  const wire = writeAnnotation(row, tables, embedded)
  texts?.keep(entry, { wire, shown: embedded })
  return wire
}

/** The fields that are always null, and only in a later version */
const laterFields = Object.values<Field>(annotation.fields)
  .filter(({ kind }) => kind === 'nothing')
  .map(({ name }) => `,"${name}":null`)
  .join('')

/** Adds or removes the fields that another version has or lacks. */
function inVersion(
  wire: JsonText<Annotation>,
  version: PolicySettings['versioning'],
): JsonText<Annotation> {
  if (version === 'none') return wire
  if (version === 'may_2024') return new JsonText(withoutHedgehog(wire.text))
  return new JsonText(`${wire.text.slice(0, -1)}${laterFields}}`, wire.bytes + laterFields.length)
}

function withoutHedgehog(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, value) =>
    name === 'hedgehog_config' ? undefined : value,
  )
}
