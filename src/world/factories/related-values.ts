import type { Json, UserRow } from '../rows.ts'
import type { ListName } from '../tables.ts'
import { type Faker, pastTime } from './database.ts'
import type { FactoryLists, PartialRow } from './partial-rows.ts'
import { filesOf, pluginTemplates } from './plugin-templates.ts'

/** What the values of a row depend on. */
interface RowContext<List extends ListName> {
  /** The fields that are not generated */
  readonly given: PartialRow<List>
  readonly id: number
  readonly fake: Faker
  /** The rows that exist. The row that this one must refer to is among them. */
  readonly rows: FactoryLists
  /** Chooses a row to refer to. @returns undefined if there is none */
  choose<Row extends object>(rows: readonly Row[]): Row | undefined
}

/** The values of a row that depend on other rows, or on its given fields. The models of the database have all others. */
export const relatedValues: {
  readonly [List in ListName]: (context: RowContext<List>) => PartialRow<List>
} = {
  organizations: () => ({}),

  projects: ({ rows, choose }) => ({ organization: choose(rows.organizations)?.id }),

  users({ given, id, fake, rows, choose }) {
    const { first_name = fake.person.firstName(), last_name = fake.person.lastName() } = given
    const name = `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '')
    const { id: organization = '' } = choose(rows.organizations) ?? {}
    const email = `${name}${id}@example.com`
    return { first_name, last_name, email, organizations: [organization] }
  },

  keys: ({ rows, choose }) => ({ user: choose(rows.users.filter(isActive))?.id }),

  dashboard_items: ({ rows, choose }) => ({ project: choose(rows.projects)?.id }),

  repository({ given, id, fake }) {
    const template = fake.helpers.arrayElement(pluginTemplates)
    const { name = `${template.name} ${id}` } = given
    const version = { tag: fake.system.semver(), ...filesOf(template, name, template.config) }
    return { name, url: pluginUrl(id), description: template.description, versions: [version] }
  },

  plugins({ given, id, fake, rows, choose }) {
    const template = fake.helpers.arrayElement(pluginTemplates)
    const drawnType = fake.helpers.arrayElement(['custom', 'repository', 'source', 'local'])
    const { plugin_type: type = drawnType, name = `${template.name} ${id}` } = given
    const { config_schema = template.config } = given
    const drawTag = () =>
      type === 'repository' ? fake.system.semver() : fake.git.commitSha({ length: 7 })
    const tag = given.tag ?? given.latest_tag ?? drawTag()
    const latest_tag = fake.datatype.boolean(0.75) ? tag : drawTag()
    const isVersioned = type !== 'source' && type !== 'local'
    return {
      plugin_type: type,
      name,
      description: template.description,
      url: type === 'source' ? null : pluginUrl(id, type),
      config_schema,
      tag: isVersioned ? tag : null,
      latest_tag: isVersioned ? latest_tag : null,
      organization: choose(rows.organizations)?.id,
      capabilities: { jobs: [], scheduled_tasks: [], methods: [...template.methods] },
      public_jobs: template.public_jobs,
      source: type === 'source' ? filesOf(template, name, config_schema).source : {},
    }
  },

  /** The plugin is one of the organization of the project, and has a value for each field of its schema. */
  plugin_configs({ given, fake, rows, choose }) {
    const own = rows.projects.find(({ id }) => id === given.project)
    const [fitting] = rows.plugins.filter(({ organization }) => organization === own?.organization)
    const plugin =
      given.plugin === undefined
        ? (fitting ?? choose(rows.plugins))
        : rows.plugins.find(({ id }) => id === given.plugin)
    const projects = rows.projects.filter(
      ({ organization }) => organization === plugin?.organization,
    )
    return {
      project: given.project ?? (choose(projects) ?? choose(rows.projects))?.id,
      plugin: plugin?.id,
      config: configOf(plugin?.config_schema, fake),
      ...createTimes(given, fake),
    }
  },

  /** The dashboard item is one of the project, and the user a member of its organization. */
  annotations({ given, fake, rows, choose }) {
    const ofItem = rows.dashboard_items.find(({ id }) => id === given.dashboard_item)
    const project = given.project ?? ofItem?.project ?? choose(rows.projects)?.id
    const organization = rows.projects.find(({ id }) => id === project)?.organization
    const items = rows.dashboard_items.filter((item) => item.project === project)
    const item = given.dashboard_item === null ? undefined : (ofItem ?? choose(items))
    const isOfAll = fake.datatype.boolean(0.2)
    const isOfItem = ofItem !== undefined || (item !== undefined && fake.datatype.boolean(0.7))
    const drawnScope = isOfItem ? 'dashboard_item' : isOfAll ? 'organization' : 'project'
    const { scope = drawnScope } = given
    const { creation_type = fake.helpers.arrayElement(['USR', 'USR', 'USR', 'GIT']) } = given
    return {
      content: fake.helpers.fake(fake.helpers.arrayElement(events[creation_type] ?? [])),
      creation_type,
      dashboard_item: scope === 'dashboard_item' ? (item?.id ?? null) : null,
      created_by: choose(membersOf(organization, rows))?.id ?? null,
      ...createTimes(given, fake),
      scope,
      project,
    }
  },

  /** The plugin is one of the organization, and the user a member. */
  activity({ given, rows, choose }) {
    const drawn = given.project === undefined ? choose(rows.projects) : undefined
    const project = drawn ?? rows.projects.find(({ id }) => id === given.project)
    const organization =
      given.organization ?? project?.organization ?? choose(rows.organizations)?.id
    const plugin = choose(rows.plugins.filter((row) => row.organization === organization))
    const nothing = { changes: null, trigger: null, short_id: null, type: null }
    return {
      user: choose(membersOf(organization, rows))?.id ?? null,
      organization,
      project: project?.id ?? null,
      item_id: String(plugin?.id ?? 1),
      detail: { ...nothing, name: plugin?.name ?? null },
    }
  },
}

/** What annotations are about, by their type: templates of faker. */
const events: { readonly [type: string]: readonly string[] } = {
  GIT: ['Deploy {{system.semver}} ({{git.commitSha({"length":7})}}) to production'],
  USR: [
    'Release {{system.semver}}: {{company.buzzPhrase}}',
    'Incident: {{hacker.noun}} answers slowly for {{number.int({"min":5,"max":120})}} minutes',
    '{{commerce.department}} campaign starts, for {{number.int({"min":3,"max":28})}} days',
    'Pricing: {{commerce.productName}} now costs {{commerce.price}} dollars',
  ],
}

function membersOf(organization: string | undefined, { users }: FactoryLists): UserRow[] {
  if (organization === undefined) return []
  return users.filter((user) => isActive(user) && user.organizations.includes(organization))
}

/** Whether other rows can refer to a row: to all but inactive users. */
export function isActive(row: object): boolean {
  return !('is_active' in row) || row.is_active === true
}

/** The URLs of plugins are unique. */
function pluginUrl(id: number, type?: string | null): string {
  return type === 'local' ? `file:/srv/plugins/${id}` : `https://github.com/acme/plugin-${id}`
}

/** A row is not saved before it is created. */
function createTimes(
  { created_at, updated_at }: Pick<PartialRow<'annotations'>, 'created_at' | 'updated_at'>,
  fake: Faker,
): { created_at: string; updated_at: string } {
  const created = created_at ?? pastTime(fake, updated_at)
  return { created_at: created, updated_at: updated_at ?? created }
}

/** Seen in the live service: a schema is a list of fields with keys, or an object of fields by key. */
function configOf(schema: Json | undefined, fake: Faker): { [key: string]: Json | undefined } {
  if (typeof schema !== 'object' || schema === null) return {}
  const fields = Object.entries(schema).flatMap(([name, field]): [string, Json][] => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return []
    const key = Array.isArray(schema) ? field.key : name
    const [choice] = Array.isArray(field.choices) ? field.choices : []
    const value = field.default || choice || fake.string.alphanumeric(20)
    return typeof key === 'string' ? [[key, value]] : []
  })
  return Object.fromEntries(fields)
}
