import type { FailureName } from '../../http/failures.ts'
import { type DocumentLine, isDocumentLine } from '../../policies/document.ts'
import { type Evidence, observedSources, policyCitations } from '../../policies/policies.ts'
import { annotation } from '../../world/entities/annotation.ts'
import type { Citation, Field, FieldKind } from '../../world/entities/field.ts'
import { plugin } from '../../world/entities/plugin.ts'
import { user } from '../../world/entities/user.ts'

/** A rule that no policy changes. */
export interface Constant {
  readonly sentence: string
  readonly evidence: Evidence
  readonly source: string
  /** The lines of the documentation that the rule is about. */
  readonly lines: readonly DocumentLine[]
}

function documented(sentence: string, ...lines: readonly DocumentLine[]): Constant {
  return { sentence, evidence: 'documented', source: 'the documentation says so', lines }
}

function observed(
  sentence: string,
  source: keyof typeof observedSources = 'source',
  ...lines: readonly DocumentLine[]
): Constant {
  return { sentence, evidence: 'observed', source: observedSources[source], lines }
}

function assumed(sentence: string, source: string, ...lines: readonly DocumentLine[]): Constant {
  return { sentence, evidence: 'assumed', source, lines }
}

/** Gives constants the line about errors, unless they have lines of their own. */
function aboutErrors<Name extends string>(
  constants: Readonly<Record<Name, Constant>>,
): Readonly<Record<Name, Constant>> {
  const entries = Object.entries<Constant>(constants).map(([name, constant]) => [
    name,
    constant.lines.length > 0 ? constant : { ...constant, lines: ['errors.all'] },
  ])
  return Object.fromEntries(entries)
}

/** Policies decide the statuses of the first three. */
export const failureConstants: Readonly<Record<FailureName, Constant>> = aboutErrors({
  not_authenticated: observed('A request without a key is refused.', 'tests', 'keys.missing'),
  authentication_failed: observed('An unknown key is refused.', 'source', 'keys.missing'),
  permission_denied: observed('A key without permission is refused.', 'tests', 'keys.missing'),
  not_acceptable: observed('An Accept header that excludes JSON returns 406.', 'framework'),
  throttled: observed('Too many requests return 429, with the wait in the message.'),
  method_not_allowed: observed('A method that a path does not have returns 405.', 'framework'),
  not_found: observed('What does not exist, or is not visible to the key, returns 404.', 'tests'),
  parse_error: observed("Invalid JSON returns 400, with Python's message.", 'framework'),
  unsupported_media_type: observed('Another content type returns 415.', 'framework'),
  body_too_large: assumed(
    'A body over the limit returns 413.',
    'as HTTP defines it',
    'limits.rates',
  ),
  validation_error: observed('Invalid input returns 400 that names the first field.', 'tests'),
  server_error: observed('An unexpected error returns 500 without details.'),
})

/** The rules of fields, by the code of the error for a value that breaks one. */
export const fieldChecks: Readonly<Record<string, Constant>> = aboutErrors({
  required: assumed('A missing required field returns 400.', 'as frameworks do', 'plugin.required'),
  null: observed('null in a field that is not nullable returns 400.'),
  invalid_input: observed('A value of a wrong type returns 400.', 'framework'),
  invalid_choice: observed('A value that is not one of the choices returns 400.'),
  max_length: observed('A text that is too long returns 400.'),
  null_characters_not_allowed: observed('A NUL character returns 400.', 'framework'),
  surrogate_characters_not_allowed: observed('A lone surrogate returns 400.', 'framework'),
  overflow: observed('A date outside of the years 1 to 9999 returns 400.', 'framework'),
  incorrect_type: observed('A reference that is not an id returns 400.', 'framework'),
  does_not_exist: observed('A reference to a missing row returns 400.', 'framework'),
})

/** What bodies can have in a field of a kind. */
const fieldWords: { readonly [Kind in FieldKind]?: (field: Field) => string } = {
  text: ({ max }) =>
    `${max === undefined ? 'A text of any length' : `At most ${max} characters`}, trimmed, or a number, which becomes a text`,
  time: () => 'A date, with or without a time and a zone, stored in UTC',
  reference: () => 'The id of an existing item, or its text',
  flag: () => 'A boolean, or a number or a word for one',
}

/** The rules and defaults of the fields of bodies. */
export const fieldRules: Readonly<Record<string, Constant>> = {
  ...rulesOf('annotation', annotation.fields),
  ...rulesOf('plugin', plugin.fields),
}

function rulesOf(line: 'annotation' | 'plugin', fields: Readonly<Record<string, Field>>) {
  const writable = Object.values(fields).filter((field) => field.writable)
  return Object.fromEntries(
    writable.map((field) => [
      `${line}.${field.name}`,
      observed(fieldRule(field), field.writable, ...linesOf(citationOf(line, field))),
    ]),
  )
}

/**
 * Says what bodies can have in a field, and what it is by default.
 *
 * @example fieldRule(annotation.fields.content) // 'At most 400 characters, trimmed, or a number, which becomes a text, or null; null by default.'
 */
function fieldRule(field: Field): string {
  const { kind, isNullable, default: value } = field
  const values = fieldWords[kind]?.(field)
  const allowed = values && `${values}${isNullable ? ', or null' : ''}; `
  return `${allowed ?? ''}${typeof value === 'string' ? value : JSON.stringify(value)} by default.`
}

/**
 * Why a field is in responses.
 *
 * @param line the name of the entity in the documentation
 */
export function citationOf(
  line: 'annotation' | 'created_by' | 'plugin',
  { name, cites }: Field,
): Citation {
  return cites ?? (`${line}.${name}` as DocumentLine)
}

function linesOf(id: Citation): readonly DocumentLine[] {
  if (id === 'observed') return ['service.whole']
  return isDocumentLine(id) ? [id] : policyCitations[id]
}

/** What the operations do, beyond their statuses and fields. */
export const behaviours = {
  'order.checks': observed(
    'The checks run in the order Accept, key, scope, body syntax, project or organization, membership, access level, rate limit, method, row, owner of the row, fields. If the key is limited to projects or organizations, body syntax and project or organization are checked before the scope.',
    'framework',
    'errors.all',
  ),
  'order.annotations': observed(
    'Annotations are listed newest date_marker first; those without one come before them.',
    'source',
    'operation.listAnnotations',
  ),
  'order.ties': assumed(
    'Of annotations with the same date_marker, or without one, the highest id is listed first.',
    'the live service declares no order',
    'operation.listAnnotations',
  ),
  'order.plugins': assumed(
    'Plugins and projects are listed by id.',
    'the live service declares no order',
    'operation.listPlugins',
  ),
  'keys.without_scopes': observed(
    'A key without a list of scopes may do everything.',
    'source',
    'keys.scopes',
  ),
  'keys.all_scopes': observed('The scope * includes every scope.', 'source', 'keys.scopes'),
  'paths.ids': assumed(
    'Integer ids of a path can have a sign, zeros, spaces and underscores, as in Python.',
    'the live service was seen reading other numbers so, but no ids',
    'paths.organization_id',
    'paths.project_id',
  ),
  'paths.uuids': observed(
    'The UUID of a path can have any form that Python reads.',
    'framework',
    'paths.organization_id',
  ),
  'bodies.empty': observed(
    'A change without fields succeeds.',
    'framework',
    'operation.updateAnnotation',
    'operation.updatePlugin',
  ),
  'lists.numbers': observed(
    'limit and offset can have a sign, zeros, spaces and underscores, as in Python.',
    'framework',
    'limits.parameters',
  ),
  'lists.links': observed(
    'next and previous have the effective limit and all parameters, sorted by name; null at the ends.',
    'framework',
    'page.next',
    'page.previous',
  ),
  'annotations.search': observed(
    'content must contain every word, in any order and case.',
    'source',
    'operation.listAnnotations',
  ),
  'annotations.soft_delete': documented(
    'PATCH with deleted: true sets the field, and the record is kept.',
    'states.annotation.delete',
    'service.annotations',
  ),
  'annotations.hard_delete': documented(
    'DELETE changes nothing, for any id.',
    'states.annotation.hard_delete',
  ),
  'annotations.visibility': observed(
    'A project sees its own annotations, and those with the scope organization of its organization.',
    'tests',
    'service.annotations',
  ),
  'annotations.create.required': observed(
    'A new annotation can lack any field.',
    'framework',
    'operation.createAnnotation',
  ),
  'annotations.updated_at': observed(
    'Every save sets updated_at, and moves the annotation to the project of the path.',
    'tests',
    'annotation.updated_at',
  ),
  'fields.unknown': observed(
    'Unknown and read-only fields and parameters are ignored, a valid body that an operation does not read, and all but the last value of a parameter or field.',
    'framework',
    'operation.createAnnotation',
    'operation.listAnnotations',
  ),
  'fields.order': observed(
    'The first invalid field is reported, in the order of the fields.',
    'framework',
    'errors.all',
  ),
  'fields.null': observed('A field without a value is null.', 'source', 'annotation.content'),
  'dates.format': observed(
    'Dates are in UTC with Z, and have six digits of a second or none.',
    'framework',
    'annotation.created_at',
  ),
  'plugins.hard_delete': documented('DELETE removes the plugin.', 'operation.deletePlugin'),
  'paths.slash': documented('Paths work with and without a trailing slash.', 'paths.slash'),
  'methods.head': observed('HEAD works like GET, without a body.', 'framework', 'service.whole'),
  'methods.options': observed('OPTIONS describes a path.', 'framework', 'service.whole'),
  'projects.list': observed(
    'GET /api/projects/ lists the projects of the organizations of the user.',
    'source',
    'keys.projects',
  ),
  'projects.methods': assumed(
    'GET is the only method of /api/projects/.',
    'the documentation mentions the listing only, and no other method was seen',
    'keys.projects',
  ),
} satisfies Readonly<Record<string, Constant>>

/** The id of a rule about what operations do. */
export type BehaviourId = keyof typeof behaviours

/** The headers of responses that no policy decides. */
export const headerConstants: Readonly<Record<string, Constant>> = {
  'content-type': documented('Responses are JSON.', 'service.json'),
  'content-length': assumed('The length of the body.', 'most servers send it', 'service.json'),
}

/** The fields of bodies that no line of the documentation lists, by their owner. */
export const undocumentedFields: Readonly<Record<string, Constant>> = {
  error: observed('Errors have type, code, detail and attr.', 'tests', 'errors.all'),
  project: observed('The fields of a project.', 'source', 'keys.projects'),
  path: observed('The description of a path.', 'framework', 'service.whole'),
  ...seenFields('annotation', annotation.fields),
  ...seenFields('created_by', user.fields),
  ...seenFields('plugin', plugin.fields),
}

/** The fields of an entity that the documentation does not list. @example { 'annotation.color': … } */
export function seenFields(
  line: 'annotation' | 'created_by' | 'plugin',
  fields: Readonly<Record<string, Field>>,
): Readonly<Record<string, Constant>> {
  const seen = Object.values(fields).filter(({ cites }) => cites === 'observed')
  return Object.fromEntries(
    seen.map(({ name }) => [
      `${line}.${name}`,
      observed(
        `The live service has the field ${name}, which is not documented.`,
        'source',
        'service.whole',
      ),
    ]),
  )
}
