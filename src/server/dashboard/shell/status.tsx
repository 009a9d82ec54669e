import { type IconNode, Scale, Snowflake, Timer, Zap } from 'lucide'
import { useState } from 'preact/hooks'
import { useDashboard, useLiveState, useReplica } from '../kit/context.ts'
import { Select } from '../kit/fields.tsx'
import { formatCount } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { Icon } from '../kit/icon.tsx'
import { formatHash, parseHash } from '../kit/navigation.ts'
import { readTheme, saveTheme, type Theme } from './theme.ts'

/** Everything that makes responses differ from those of a new server, as links to where it is changed. */
export function Badges() {
  const { clock, faults, changedPolicies } = useLiveState()
  return (
    <div class="badges" role="status" aria-label="Changed from the defaults">
      {faults.length > 0 && (
        <Badge
          icon={Zap}
          path={['controls', 'faults']}
          text={formatCount(faults.length, 'fault')}
        />
      )}
      {changedPolicies.length > 0 && (
        <Badge
          icon={Scale}
          path={['controls', 'policies']}
          text={`${formatCount(changedPolicies.length, 'policy', 'policies')} changed`}
        />
      )}
      {clock && clock.mode !== 'real' && (
        <Badge
          icon={clock.mode === 'frozen' ? Snowflake : Timer}
          path={['controls', 'state']}
          text={clock.mode === 'frozen' ? 'clock frozen' : 'clock set'}
        />
      )}
    </div>
  )
}

function Badge({ icon, path, text }: { icon: IconNode; path: readonly string[]; text: string }) {
  const { sandbox } = useDashboard()
  const params = path[1] === 'policies' ? { show: 'changed' } : {}
  return (
    <a class="badge" href={formatHash(path, sandbox, params)}>
      <Icon icon={icon} />
      {text}
    </a>
  )
}

const connectionLabels = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Disconnected, retrying…',
} as const

export function ConnectionStatus() {
  const { journal } = useDashboard()
  const { state } = useStore(journal)
  return (
    <span class={`connection ${state}`} role="status">
      {connectionLabels[state]}
    </span>
  )
}

export function SandboxSelect() {
  const { server, sandbox } = useDashboard()
  const { value = [], reload } = useLoad(() => server.sandboxes.list(), [server, sandbox])
  const replica = useReplica()
  const ids = value.map(({ id }) => id)
  if (sandbox !== null && !ids.includes(sandbox)) ids.push(sandbox)
  const select = (id: string) => {
    const [page] = parseHash(location.hash).path
    location.hash = formatHash(page === undefined ? [] : [page], id === '' ? null : id)
  }
  return (
    <Select
      label="World"
      options={[['', replica ? `main of replica ${replica.number}` : 'main'], ...ids]}
      value={sandbox ?? ''}
      onChange={select}
      onFocus={reload}
    />
  )
}

const themeOptions = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
] as const

export function ThemeSelect() {
  const [theme, setTheme] = useState(() => readTheme(localStorage))
  const select = (selected: Theme) => {
    saveTheme(selected, document.documentElement, localStorage)
    setTheme(selected)
    dispatchEvent(new Event('themechange'))
  }
  return <Select label="Theme" hideLabel options={themeOptions} value={theme} onChange={select} />
}
