import { Tabs } from '../kit/tabs.tsx'
import { AnnotationsView } from './annotations-view.tsx'
import { OtherLists } from './other-lists.tsx'
import { PluginsView } from './plugins-view.tsx'

const worldTabs = [
  ['annotations', 'Annotations'],
  ['plugins', 'Plugins'],
  ['others', 'Other lists'],
] as const

/** The rows of the world: looked at and edited directly, without a request, a key or a policy. */
export function WorldPage({ path }: { path: readonly string[] }) {
  const [part = 'annotations', id] = path
  return (
    <>
      <Tabs label="Lists of the world" page="world" tabs={worldTabs} current={part} />
      {part === 'annotations' && <AnnotationsView />}
      {part === 'plugins' && <PluginsView id={id} />}
      {part === 'others' && <OtherLists list={id} />}
    </>
  )
}
