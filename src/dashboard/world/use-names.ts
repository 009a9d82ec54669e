import type { Words } from '../../control/list-words.ts'
import type { ProjectRow } from '../../world/rows.ts'
import { useDashboard } from '../kit/place.ts'
import { useLoad } from '../kit/use-load.ts'

/** The projects of the world, as many as a menu can hold. */
export function useProjects(): readonly ProjectRow[] {
  const { remote } = useDashboard()
  return useLoad(() => remote.world.find('projects', { limit: 200 }), [remote]).value?.rows ?? []
}

/** The words that rows and rules take; undefined until they are here. */
export function useVocabulary(): Words | undefined {
  const { server } = useDashboard()
  return useLoad(() => server.words(), [server]).value
}
