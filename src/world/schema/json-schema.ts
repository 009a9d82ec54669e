import * as z from 'zod'
import { worldSchema } from './world-schema.ts'

/** What an editor shows beside a field; a list and a field of its rows are apart by a dot. */
const descriptions: { readonly [path: string]: string } = {
  $schema: 'Address of this schema, for editors.',
  format_version: 'Of this format; 1 when missing. A file of a later one is refused.',
  now: 'The time that generated rows refer to.',
  seed: 'What everything generated follows from.',
  generate:
    'How many rows of a list to add when the world is filled: see understudy-api/factories.',
  next_ids: 'The id that the next row of a list gets; by default the highest one plus one.',
  issued_keys: 'How many values for keys are not made again, since one of them was revoked.',
  organizations: 'What users and projects belong to; plugins are theirs.',
  'organizations.plugins_access_level': '0 none, 3 configure, 6 install, 9 root; 9 when missing.',
  projects: 'What annotations and dashboard items belong to.',
  'projects.organization': 'Id of one of the organizations.',
  users: 'Who makes annotations, and whose keys these are.',
  'users.organizations': 'Ids of the organizations whose member the user is.',
  'users.is_active': 'The keys of a user who is not are refused; true when missing.',
  'users.current_project': 'Null or missing: the first project of the first organization.',
  keys: 'The API keys. The first one is the default.',
  'keys.value': 'What follows "Bearer " in the Authorization header.',
  'keys.label': 'What it is for; its value when missing.',
  'keys.user': 'Id of one of the users.',
  'keys.scopes':
    'object:read, object:write, * for all; null for an old key, which may do everything.',
  'keys.projects': 'Ids of the projects that the key is limited to; all when missing or empty.',
  'keys.organizations':
    'Ids of the organizations that the key is limited to; all when missing or empty.',
  dashboard_items: 'What annotations can be pinned to.',
  'dashboard_items.short_id': 'Shown as insight_short_id.',
  'dashboard_items.name': 'Shown as insight_name.',
  repository:
    'The catalogue of plugins: from it plugins are installed, checked and upgraded, offline.',
  'repository.versions': 'Oldest first; the last one is the newest.',
  plugins: 'The plugins that are installed.',
  'plugins.organization': 'Id of the organization it belongs to; shown as organization_id.',
  'plugins.is_global': 'Shown to every organization.',
  'plugins.source': 'File name to text.',
  'plugins.revision': 'Which write to plugins changed it last; 0 when missing.',
  plugin_configs: 'Which project uses which plugin, and how.',
  'plugin_configs.enabled': 'A plugin without an enabled configuration is unused.',
  annotations: 'Notes at a moment, newest date_marker first when listed.',
  'annotations.content': 'At most 400 characters.',
  'annotations.date_marker': 'The moment it marks. Without one it is listed before all others.',
  'annotations.creation_type': 'USR by a user, GIT by a deployment.',
  'annotations.dashboard_item': 'Id of one of the dashboard items.',
  'annotations.created_by': 'Id of one of the users.',
  'annotations.deleted': 'Hidden, and kept: a PATCH with deleted false brings it back.',
  'annotations.scope': 'organization: seen in each project of the organization.',
  'annotations.project': 'Id of one of the projects.',
  activity: 'What was done to plugins and their configurations.',
  'activity.project': 'The current project of the user at that time.',
}

interface Node {
  description?: string
  readonly properties?: { readonly [name: string]: Node }
  readonly items?: Node
}

/**
 * The JSON Schema of the world format, for editors and other languages. Of rows every field that must be there
 * is required: a world that leaves out more is for `generate` to fill.
 *
 * @example JSON.stringify(worldJsonSchema(), null, 2) // fixtures/world.schema.json
 */
export function worldJsonSchema(): object {
  const schema = z.toJSONSchema(worldSchema, { io: 'input', target: 'draft-2020-12' })
  for (const [path, description] of Object.entries(descriptions))
    describe(schema as Node, path, description)
  const { $schema, ...rest } = schema
  return {
    $schema,
    title: 'World',
    description:
      'All state of one simulated Plugin and Annotation Management API. Any list may be missing.',
    ...rest,
  }
}

/** @throws Error for a path that the schema does not have */
function describe(schema: Node, path: string, description: string): void {
  const [list = '', field] = path.split('.')
  const node = schema.properties?.[list]
  const found = field === undefined ? node : node?.items?.properties?.[field]
  if (!found) throw new Error(`Failed to describe ${path}: expected a field of the world format.`)
  found.description = description
}
