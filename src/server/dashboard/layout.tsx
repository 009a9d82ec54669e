import { BookOpen, Clapperboard, House } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useDashboard } from './kit/context.ts'
import { Button, Select } from './kit/fields.tsx'
import { Mark } from './kit/inline.tsx'
import { ErrorMessage } from './kit/panels.tsx'
import { useLoad, useStore } from './kit/store.ts'
import { Badges } from './overview/changes.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { ScenariosPage } from './scenarios/scenarios-page.tsx'
import { readTheme, saveTheme, type Theme } from './theme.ts'
import { NotFound, SandboxSelect, sharedPages, type View, ViewLinks } from './views.tsx'

const pages: readonly View[] = [
  ['overview', 'Overview', () => <OverviewPage />, House],
  ...sharedPages,
  ['scenarios', 'Scenarios', ([name]) => <ScenariosPage name={name} />, Clapperboard],
  ['reference', 'API reference', (path) => <Reference path={path} />, BookOpen],
]

/** Loaded on demand: most visits do not open it. */
function Reference({ path }: { path: readonly string[] }) {
  const { value, error, reload } = useLoad(() => import('./reference/reference-page.tsx'), [])
  return value ? (
    <value.ReferencePage path={path} />
  ) : (
    <ErrorMessage error={error} reload={reload} />
  )
}

/** The frame of all pages, and the page that the URL names. */
export function Layout() {
  const { link, route } = useDashboard()
  const [name = 'overview', ...rest] = route.path
  const [, title = 'Not found', view] = pages.find(([candidate]) => candidate === name) ?? []
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
      <Button label="Skip to content" class="skip" onClick={() => heading.current?.focus()} />
      <header class="side">
        <a class="brand" href={link()}>
          <Mark /> Understudy
        </a>
        <nav aria-label="Main navigation">
          <ViewLinks views={pages} open={name} toHref={link} />
        </nav>
        <div class="tools">
          <ConnectionStatus />
          <ThemeSelect />
        </div>
      </header>
      <main id="content">
        <div class="bar">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <Badges />
          <SandboxSelect />
        </div>
        {view?.(rest) ?? <NotFound />}
      </main>
    </>
  )
}

const connectionLabels = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Disconnected, retrying…',
} as const

function ConnectionStatus() {
  const { state } = useStore(useDashboard().journal)
  return (
    <span class={`connection ${state}`} role="status">
      {connectionLabels[state]}
    </span>
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
