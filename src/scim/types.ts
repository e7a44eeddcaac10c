/** The types of resources. */
import { groupType } from './groups/index.ts'
import type { ResourceType } from './resources.ts'
import { userType } from './users/index.ts'

export const resourceTypes: readonly ResourceType[] = [userType, groupType]
