/** The project as an API: its resources, and which clients that nobody prepared can ask for them. */
import { Stack } from '@mantine/core'
import type { Project } from '../../../../../contract/gen/signet/project/v2/project_pb.ts'
import { AgentsSection } from './agents-section.tsx'
import { ResourcesSection } from './resources-section.tsx'
import { TokensSection } from './tokens-section.tsx'

interface ApiTabProps {
  readonly project: Project
  readonly mayWrite: boolean
  /** Whether the user may add applications, and so let clients register. */
  readonly mayAddClients: boolean
}

/** The tab. */
export function ApiTab({ project, mayWrite, mayAddClients }: ApiTabProps) {
  const { projectId } = project
  return (
    <Stack>
      <ResourcesSection projectId={projectId} mayWrite={mayWrite} />
      <AgentsSection project={project} mayWrite={mayWrite} />
      {mayAddClients && project.agentAccess?.dynamicRegistration && <TokensSection projectId={projectId} />}
    </Stack>
  )
}
