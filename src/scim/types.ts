/** The types of resources. */
import type { ResourceType } from './resources.ts'
import { userType } from './users/index.ts'

export const resourceTypes: readonly ResourceType[] = [userType]
