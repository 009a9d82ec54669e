import type { Words } from '../../control/list-words.ts'
import type { ProjectRow } from '../../world/rows.ts'
import { usePlace } from '../kit/place.ts'
import { useLoad } from '../kit/use-load.ts'

/** The projects of the world, as many as a menu can hold. */
export function useProjects(): readonly ProjectRow[] {
  const { remote } = usePlace()
  return useLoad(() => remote.world.find('projects', { limit: 200 }), [remote]).value?.rows ?? []
}

/** The words that rows and rules take; undefined until they are here. */
export function useWords(): Words | undefined {
  const { root } = usePlace()
  return useLoad(() => root.words(), [root]).value
}
