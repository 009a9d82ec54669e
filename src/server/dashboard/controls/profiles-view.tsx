import type { PolicyInfo } from '../../../policies/settings.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { ErrorMessage } from '../kit/feedback.tsx'
import { formatCount } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { ScrollArea } from '../kit/table.tsx'

/** Compares the two profiles with the current settings, and applies a profile. */
export function ProfilesView() {
  const { remote, link } = useDashboard()
  const { value = [], error, reload } = useLoad(() => remote.policies.list(), [remote])
  const run = useAction(reload)
  const different = value.filter(
    ({ documented, live, setting }) => documented !== live || setting !== documented,
  )
  const apply = (profile: 'documented' | 'live') => {
    const settings = Object.fromEntries(value.map((policy) => [policy.id, policy[profile]]))
    return run(`Profile ${profile} applied.`, () => remote.policies.set(settings))
  }
  return (
    <>
      <div class="toolbar">
        <span class="count grow">
          {formatCount(different.length, 'policy differs', 'policies differ')} between the profiles
          or {different.length === 1 ? 'was' : 'were'} changed
        </span>
        <button type="button" onClick={() => apply('documented')}>
          Apply profile documented
        </button>
        <button type="button" onClick={() => apply('live')}>
          Apply profile live
        </button>
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <ScrollArea label="Profile differences">
        <table class="rows">
          <thead>
            <tr>
              <th>Policy</th>
              <th>documented</th>
              <th>live</th>
              <th>current</th>
            </tr>
          </thead>
          <tbody>
            {different.map((policy) => (
              <ProfileDifference
                key={policy.id}
                policy={policy}
                href={link('controls', 'policies', policy.id)}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </>
  )
}

function ProfileDifference({ policy, href }: { policy: PolicyInfo; href: string }) {
  const { id, question, documented, live, setting } = policy
  const valueClass = (value: string | number) => (value === setting ? 'value current' : 'value')
  return (
    <tr>
      <td class="content">
        <a href={href}>{id}</a>
        <p class="dim">{question}</p>
      </td>
      <td class={valueClass(documented)}>{documented}</td>
      <td class={valueClass(live)}>{live}</td>
      <td class={setting === documented || setting === live ? 'value' : 'value bad'}>{setting}</td>
    </tr>
  )
}
