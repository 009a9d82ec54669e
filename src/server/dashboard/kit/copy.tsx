import { Copy } from 'lucide'
import type { KeyRow } from '../../../world/rows.ts'
import { useAction, useDashboard, useFirstRows } from './context.ts'
import { copyText, shellQuote } from './copy-download.ts'
import { Button } from './fields.tsx'
import { useLoad, useStore } from './hooks.ts'

/** @param props.name names the text for screen readers and in the notification; default: the text itself */
export function CopyButton({ text, name = text }: { text: string; name?: string }) {
  const run = useAction()
  return (
    <Button
      class="quiet"
      icon={Copy}
      row={name}
      onClick={() => run(`Copied ${name}.`, () => copyText(text))}
    >
      Copy
    </Button>
  )
}

/** A line of code with a button that copies it. */
export function CodeLine({ text, name }: { text: string; name: string }) {
  return (
    <div class="code-line">
      <code>{text}</code>
      <CopyButton text={text} name={name} />
    </div>
  )
}

/** A command that lists annotations and works as it is. Undefined if no key may, and until everything is loaded. */
export function useCurlLine(): string | undefined {
  const { remote, journal } = useDashboard()
  const { rowsVersion } = useStore(journal)
  const { value: keys = [] } = useLoad(() => remote.keys.list(), [remote, rowsVersion])
  const [projects, users] = [useFirstRows('projects'), useFirstRows('users')]
  const found = [...keys]
    .sort((a, b) => countLimits(a) - countLimits(b))
    .filter(({ scopes }) => !scopes || scopes.some((scope) => /^(\*|annotation:read)$/.test(scope)))
    .flatMap((key) => {
      const { organizations } = users.find(({ id }) => id === key.user) ?? {}
      const project = projects.find(
        ({ id, organization }) =>
          organizations?.includes(organization) &&
          (key.projects.length === 0 || key.projects.includes(id)) &&
          (key.organizations.length === 0 || key.organizations.includes(organization)),
      )
      return project ? [[key.value, project.id] as const] : []
    })[0]
  if (!found) return undefined
  const [value, id] = found
  const url = `${remote.url}/api/projects/${id}/annotations/`
  return `curl -H ${shellQuote(`Authorization: Bearer ${value}`)} ${url}`
}

function countLimits({ scopes, projects, organizations }: KeyRow): number {
  const isScoped = scopes !== null && !scopes.includes('*')
  return projects.length + organizations.length + Number(isScoped)
}
