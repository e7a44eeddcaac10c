/** The sentences of the page for requests on the back channel, in English. */

export const approvalTexts = {
  approvals: {
    title: 'Requests for your approval',
    none: 'Nothing waits for your approval.',
    waiting: 'Applications wait for your approval: {count}',
    review: 'Review',
    asks: '{name} asks for your approval',
    lead: 'It asks for the following with your account {userName}:',
    message: 'Message from the application',
    until: 'Expires',
    warning: 'Approve only if you expect this request and the message is the one that the application shows you.',
    approve: 'Approve',
    withPasskey: 'Approve with a passkey',
    proof: 'To approve, confirm that it’s you.',
    refuse: 'Refuse',
    approved: 'Approved',
    approvedText: 'The application can go on now. You can close this page.',
    refused: 'Refused',
    refusedText: 'The application gets nothing.',
    gone: 'This request no longer waits',
    goneText: 'It expired, was withdrawn, or was already decided.',
    noFactor: 'To approve requests, add a passkey or set up two-step verification first.',
    setUp: 'Set up',
  },
} as const
