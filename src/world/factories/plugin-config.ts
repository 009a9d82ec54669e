import type { Json } from '../rows.ts'
import { someMoment, toStamps } from './calendar.ts'
import type { Dice } from './dice.ts'
import type { Draft, Making } from './making.ts'

/** A configuration of a plugin in a project of its organization, with a value for each of its fields. */
export function draftPluginConfig(making: Making<'plugin_configs'>): Draft<'plugin_configs'> {
  const { given, places, dice, part } = making
  const usual = places.find('projects', given.project)?.organization
  const [fitting] = places.of('plugins', 'organizations', usual)
  const plugin =
    given.plugin === undefined
      ? (fitting ?? places.one('plugins', part))
      : places.find('plugins', given.plugin)

  const projects = places.of('projects', 'organizations', plugin?.organization)
  const own = part ? dice.any(projects) : projects[0]
  const project = given.project ?? (own ?? places.one('projects', part)).id
  return {
    project,
    order: places.of('plugin_configs', 'projects', project).length + 1,
    config: configOf(plugin?.config_schema, dice),
    ...(plugin && { plugin: plugin.id }),
    ...toStamps(given, making, someMoment(making)),
  }
}

/** A schema is a list of fields, each with its key, or an object of fields by key (observed §5). */
function configOf(schema: Json | undefined, dice: Dice): { [key: string]: Json } {
  if (typeof schema !== 'object' || schema === null) return {}
  const fields = Object.entries(schema).flatMap(([name, field]) => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return []
    const key = Array.isArray(schema) ? field.key : name
    return typeof key === 'string' ? [[key, someValue(field, dice)] as const] : []
  })
  return Object.fromEntries(fields)
}

function someValue(field: { [name: string]: Json }, dice: Dice): Json {
  if (field.secret === true) return dice.token(20)
  if (field.type === 'attachment') return null
  if (Array.isArray(field.choices)) return dice.any(field.choices) ?? ''
  return field.default || dice.word()
}
