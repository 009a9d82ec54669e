import { useLayoutEffect, useRef } from 'preact/hooks'
import { nearestProfile, type Profile, valueIn } from '../settings/profiles.ts'
import type { SettingInfo } from '../settings/resolve.ts'
import { groupBy } from '../utils/latest-map.ts'
import { useAction, useApp, useLive, useParams } from './app.ts'
import { capitalize, matchesWords } from './format.ts'
import { ActionButton, SearchField, Select } from './kit.tsx'
import { Empty, EvidenceTag } from './layout.tsx'

/** @param props.path the id of the setting to open */
export function SettingsView({ path: [open] }: { path: readonly string[] }) {
  const { settings } = useLive()
  const { params, field } = useParams()
  const { search = '' } = params
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const item = [...(list.current?.querySelectorAll('li') ?? [])].find(({ id }) => id === open)
    item?.scrollIntoView({ block: 'center' })
    item?.querySelector('summary')?.focus()
  }, [open])
  const { changed } = nearestProfile(settings)
  const shown = settings.filter((setting) => {
    const { id, question } = setting
    return matchesWords(`${id} ${question} ${changed.includes(setting) ? 'changed' : ''}`, search)
  })
  return (
    <>
      <div class="row toolbar">
        <SearchField label="Search settings: delete, changed" {...field('search')} />
        <ProfileSelect />
      </div>
      {shown.length === 0 && <Empty title="No setting matches the search." />}
      <div ref={list}>
        {groupSettings(shown).map(([title, group]) => (
          <section key={title} class="settings" aria-label={title}>
            <h2>{title}</h2>
            <ul class="plain">
              {group.map((setting) => (
                <SettingItem key={setting.id} setting={setting} isOpen={setting.id === open} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

/** Those in which the profiles differ come first, since a profile is chosen first. */
function groupSettings(settings: readonly SettingInfo[]) {
  const isSame = ({ default: documented, live }: SettingInfo) => documented === live
  const sorted = settings.toSorted((a, b) => Number(isSame(a)) - Number(isSame(b)))
  const titleOf = (setting: SettingInfo) =>
    isSame(setting) ? capitalize(setting.id.split('.')[0] ?? '') : 'Different in the profiles'
  return [...groupBy(sorted, titleOf)]
}

/** Shows the profile of the settings, and replaces all of them by those of another one. */
function ProfileSelect() {
  const { remote } = useApp()
  const { settings } = useLive()
  const run = useAction()
  const { profile, changed } = nearestProfile(settings)
  const apply = async (chosen: Profile) => {
    await remote.settings.set(
      Object.fromEntries(settings.map((setting) => [setting.id, valueIn(chosen, setting)])),
    )
    return `All settings are those of the profile ${chosen}.`
  }
  const ofNone = [['', `${profile}, ${changed.length} changed`] as const]
  return (
    <Select
      label="Profile"
      options={[...(changed.length > 0 ? ofNone : []), 'documented', 'live']}
      value={changed.length > 0 ? '' : profile}
      onChange={(chosen) => chosen && run(() => apply(chosen as Profile))}
    />
  )
}

function SettingItem({ setting, isOpen }: { setting: SettingInfo; isOpen: boolean }) {
  const { remote } = useApp()
  const { settings } = useLive()
  const run = useAction()
  const { id, question, documentation, value: current, values, live } = setting
  const documented = setting.default
  const { profile } = nearestProfile(settings)
  const isChanged = current !== valueIn(profile, setting)
  const profiles = documented === live ? { profiles: documented } : { documented, live }
  const others = Object.entries(profiles).filter(([, value]) => value !== current)
  const set = (value: string | number) =>
    remote.settings.set({ [id]: value }).then(() => `${id} is ${value}.`)
  return (
    <li id={id}>
      <details open={isOpen}>
        <summary>
          {question} <code class={isChanged ? 'value warn' : 'value'}>{current}</code>{' '}
          <span class="dim">
            <code>{id}</code> {others.map(([name, value]) => `${name}: ${value}`).join(', ')}
          </span>
        </summary>
        <fieldset class="stack">
          <p class="dim">Documentation: {documentation}</p>
          <legend class="visually-hidden">{question}</legend>
          {values.map(({ value, meaning, evidence, source }) =>
            value === 'integer' ? (
              <ActionButton
                key={value}
                label="Another number"
                work={() => set(Number(prompt(meaning, String(current)) ?? current))}
              />
            ) : (
              <label key={value} class="choice">
                <input
                  type="radio"
                  name={id}
                  checked={value === String(current)}
                  onChange={() => run(() => set(value))}
                />
                <code>{value}</code>
                <span>
                  {meaning} <EvidenceTag evidence={evidence} />{' '}
                  {evidence === 'documented' && <span class="dim">{source}</span>}
                </span>
              </label>
            ),
          )}
        </fieldset>
      </details>
    </li>
  )
}
