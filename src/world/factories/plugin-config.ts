import type { Json } from '../rows.ts'
import { createTimestamps, randomMoment } from './calendar.ts'
import type { RandomSource } from './dice.ts'
import type { RowContext, RowDraft } from './making.ts'

/** A configuration of a plugin in a project of its organization, with a value for each of its fields. */
export function draftPluginConfig(
  making: RowContext<'plugin_configs'>,
): RowDraft<'plugin_configs'> {
  const { overrides, related, random, position } = making
  const usual = related.find('projects', overrides.project)?.organization
  const [fitting] = related.referencing('plugins', 'organizations', usual)
  const plugin =
    overrides.plugin === undefined
      ? (fitting ?? related.choose('plugins', position))
      : related.find('plugins', overrides.plugin)

  const projects = related.referencing('projects', 'organizations', plugin?.organization)
  const own = position ? random.pickOptional(projects) : projects[0]
  const project = overrides.project ?? (own ?? related.choose('projects', position)).id
  return {
    project,
    order: related.referencing('plugin_configs', 'projects', project).length + 1,
    config: drawConfig(plugin?.config_schema, random),
    ...(plugin && { plugin: plugin.id }),
    ...createTimestamps(overrides, making, randomMoment(making)),
  }
}

/** A schema is a list of fields, each with its key, or an object of fields by key (observed §5). */
function drawConfig(schema: Json | undefined, dice: RandomSource): { [key: string]: Json } {
  if (typeof schema !== 'object' || schema === null) return {}
  const fields = Object.entries(schema).flatMap(([name, field]) => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return []
    const key = Array.isArray(schema) ? field.key : name
    return typeof key === 'string' ? [[key, drawConfigValue(field, dice)] as const] : []
  })
  return Object.fromEntries(fields)
}

function drawConfigValue(field: { [name: string]: Json }, dice: RandomSource): Json {
  if (field.secret === true) return dice.alphanumeric(20)
  if (field.type === 'attachment') return null
  if (Array.isArray(field.choices)) return dice.pickOptional(field.choices) ?? ''
  return field.default || dice.word()
}
