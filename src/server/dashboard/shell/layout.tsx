import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useDashboard } from '../kit/context.ts'
import { EmptyState } from '../kit/feedback.tsx'
import { Button, Select } from '../kit/fields.tsx'
import { useLoad, useStore } from '../kit/hooks.ts'
import { type DashboardRoute, formatHash, parseHash } from '../kit/navigation.ts'
import { pages } from './pages.tsx'
import { readTheme, saveTheme, type Theme } from './theme.ts'

/** The frame around every page: the header and the main element. */
export function Layout({ route }: { route: DashboardRoute }) {
  const [name = 'requests', ...rest] = route.path
  const page = pages.find((candidate) => candidate.name === name)
  const title = page?.title ?? 'Not found'
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  // A layout effect: title and focus change in the same frame as the page.
  useLayoutEffect(() => {
    document.title = `${title} – Understudy`
    // Screen readers then announce the page that was navigated to.
    if (!isFirst.current && rest.length === 0) heading.current?.focus()
    isFirst.current = false
  }, [name])
  return (
    <>
      <Button class="skip" onClick={() => heading.current?.focus()}>
        Skip to content
      </Button>
      <header class="top">
        <span class="brand">
          <Logo />
          <span>Understudy</span>
        </span>
        <PageLinks current={name} />
        <div class="tools">
          <ConnectionStatus />
          <SandboxSelect />
          <ThemeSelect />
        </div>
      </header>
      <main id="content">
        <h1 ref={heading} tabIndex={-1} class="visually-hidden">
          {title}
        </h1>
        {page ? <page.View path={rest} /> : <EmptyState title="Page not found." />}
      </main>
    </>
  )
}

/** The same picture as the icon of the page. */
function Logo() {
  return (
    <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="6" cy="8" r="5" />
      <circle cx="10" cy="8" r="5" />
    </svg>
  )
}

function PageLinks({ current }: { current: string }) {
  const { link } = useDashboard()
  return (
    <nav aria-label="Main navigation">
      {pages.map(({ name, title }) => (
        <a key={name} href={link(name)} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
      <a href="docs/">API reference</a>
    </nav>
  )
}

const connectionLabels = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Disconnected, retrying…',
} as const

function ConnectionStatus() {
  const { journal } = useDashboard()
  const { state } = useStore(journal)
  return (
    <span class={`connection ${state}`} role="status">
      {connectionLabels[state]}
    </span>
  )
}

/** Selects the world that the pages show: the server's main world or a sandbox. */
function SandboxSelect() {
  const { server, sandbox } = useDashboard()
  const { value = [], reload } = useLoad(() => server.sandboxes.list(), [server, sandbox])
  const ids = value.map(({ id }) => id)
  if (sandbox !== null && !ids.includes(sandbox)) ids.push(sandbox)
  const select = (id: string) => {
    const [page = 'requests'] = parseHash(location.hash).path
    location.hash = formatHash([page], id === '' ? null : id)
  }
  return (
    <Select
      label="World"
      options={[['', 'main'], ...ids]}
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

function ThemeSelect() {
  const [theme, setTheme] = useState(() => readTheme(localStorage))
  const select = (selected: Theme) => {
    saveTheme(selected, document.documentElement, localStorage)
    setTheme(selected)
    dispatchEvent(new Event('themechange'))
  }
  return <Select label="Theme" hideLabel options={themeOptions} value={theme} onChange={select} />
}
