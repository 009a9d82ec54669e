import { profiles, valueIn } from '../settings/profiles.ts'
import { type SettingId, settingIds, settingsById } from '../settings/setting.ts'
import { didYouMean, UsageError } from '../utils/errors.ts'
import { defineCommand } from './command.ts'
import type { Paint } from './command-context.ts'
import { jsonFlag } from './flags.ts'

const help = `
Examples:
  npx understudy-api settings annotations
  npx understudy-api settings --json

Set a setting with npx understudy-api serve --set id=value.`

export default defineCommand({
  name: 'settings',
  summary: 'List the settings, with their values and evidence.',
  args: [['[text]', 'list only settings whose id contains this text']],
  flags: { '--json': jsonFlag },
  help,
  run([text = ''], _flags, { paint }) {
    const ids = settingIds.filter((id) => id.includes(text))
    if (ids.length === 0) {
      const words = settingIds.flatMap((id) => id.split(/[._]/))
      const meant = didYouMean(text, [...settingIds, ...words], text.length / 3)
      const all = ' npx understudy-api settings lists all.'
      const hint = meant === undefined ? all : ` Did you mean ${meant}?`
      throw new UsageError(`No setting id contains ${JSON.stringify(text)}.${hint}`)
    }
    return {
      json: Object.fromEntries(ids.map((id) => [id, settingsById[id]])),
      text: ids.map((id) => formatSetting(id, paint)).join('\n\n'),
    }
  },
})

function formatSetting(id: SettingId, paint: Paint) {
  const { question, values, ...inProfiles } = settingsById[id]
  const [documented, live] = profiles.map((profile) => String(valueIn(profile, inProfiles)))
  const lines = Object.entries(values).map(
    ([word, { meaning, evidence, source, minimum, maximum }]) => {
      const isNumber = word === 'integer'
      const value = isNumber ? `${minimum} to ${maximum}` : word
      const isNamed = Object.hasOwn(values, documented ?? '')
      const range = isNumber && !isNamed ? ` (documented ${documented}, live ${live})` : ''
      const marks = [value === documented ? 'documented' : '', value === live ? 'live' : '']
      const profiles = marks.filter(Boolean).join(', ')
      const reason = paint('faint', `[${evidence}: ${source}]`)
      return `  ${paint('name', value)}${range}${profiles ? ` (${profiles})` : ''}: ${meaning} ${reason}`
    },
  )
  return [paint('strong', id), `  ${question}`, ...lines].join('\n')
}
