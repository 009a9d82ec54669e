import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useDashboard } from '../kit/context.ts'
import { EmptyState } from '../kit/feedback.tsx'
import { useLoad, useStore } from '../kit/hooks.ts'
import { type DashboardRoute, formatHash, parseHash } from '../kit/navigation.tsx'
import { pages } from './pages.tsx'
import { readTheme, saveTheme, type Theme, themes } from './theme.ts'

/** What stands around every page. */
export function Layout({ route }: { route: DashboardRoute }) {
  const [name = 'requests', ...rest] = route.path
  const page = pages.find((one) => one.name === name)
  const title = page?.title ?? 'Not found'
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  // With the page itself: whoever sees it finds its title and the focus there.
  useLayoutEffect(() => {
    document.title = `${title} – Understudy`
    // Whoever listens to the page is told where it went; not when it has just been opened.
    if (!isFirst.current && rest.length === 0) heading.current?.focus()
    isFirst.current = false
  }, [name])
  return (
    <>
      <button type="button" class="skip" onClick={() => heading.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <span class="brand">Understudy</span>
        <PageLinks current={name} />
        <div class="tools">
          <ConnectionStatus />
          <SandboxSelect />
          <ThemeSelect />
        </div>
      </header>
      <main id="content">
        <h1 ref={heading} tabIndex={-1} class="unseen">
          {title}
        </h1>
        {page ? <page.View path={rest} /> : <EmptyState title="There is no such page." />}
      </main>
    </>
  )
}

function PageLinks({ current }: { current: string }) {
  const { link } = useDashboard()
  return (
    <nav aria-label="Pages">
      {pages.map(({ name, title }) => (
        <a key={name} href={link(name)} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
      <a href="docs/">Reference</a>
    </nav>
  )
}

const connectionLabels = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost',
} as const

function ConnectionStatus() {
  const { journal } = useDashboard()
  const { state } = useStore(journal)
  return (
    <span class={`liveness ${state}`} role="status">
      {connectionLabels[state]}
    </span>
  )
}

/** Which world is looked at: the server's own, or that of a sandbox. */
function SandboxSelect() {
  const { server, sandbox } = useDashboard()
  const { value = [], reload } = useLoad(() => server.sandboxes.list(), [server, sandbox])
  const ids = value.map(({ id }) => id)
  if (sandbox !== null && !ids.includes(sandbox)) ids.push(sandbox)
  const choose = (id: string) => {
    const [page = 'requests'] = parseHash(location.hash).path
    location.hash = formatHash([page], id === '' ? null : id)
  }
  return (
    <label>
      <span class="unseen">World</span>
      <select
        value={sandbox ?? ''}
        onFocus={reload}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">Server</option>
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  )
}

const themeLabels: Readonly<Record<Theme, string>> = {
  system: 'Auto',
  light: 'Light',
  dark: 'Dark',
}

/** Light, dark, or as the system is. */
function ThemeSelect() {
  const [theme, setTheme] = useState(() => readTheme(localStorage))
  const choose = (chosen: Theme) => {
    saveTheme(chosen, document.documentElement, localStorage)
    setTheme(chosen)
    dispatchEvent(new Event('themechange'))
  }
  return (
    <label>
      <span class="unseen">Theme</span>
      <select value={theme} onChange={({ currentTarget }) => choose(currentTarget.value as Theme)}>
        {themes.map((one) => (
          <option key={one} value={one}>
            {themeLabels[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
