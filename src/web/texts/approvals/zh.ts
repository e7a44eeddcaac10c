/** The sentences of the page for requests on the back channel, in Chinese. */

export const approvalTexts = {
  approvals: {
    title: '等待您批准的请求',
    none: '没有等待您批准的请求。',
    waiting: (count: number) => `等待您批准的应用：${count}`,
    review: '查看',
    asks: (name: string) => `${name} 请求您的批准`,
    lead: (userName: string) => `该应用请求使用您的账号 ${userName} 执行以下操作：`,
    message: '应用的消息',
    until: '到期时间',
    warning: '仅当您预期此请求，且该消息与应用向您显示的一致时，才批准。',
    approve: '批准',
    withPasskey: '使用通行密钥批准',
    proof: '要批准，请确认是您本人操作。',
    refuse: '拒绝',
    approved: '已批准',
    approvedText: '应用现在可以继续。您可以关闭此页面。',
    refused: '已拒绝',
    refusedText: '应用不会获得任何内容。',
    gone: '此请求已不再等待',
    goneText: '它已过期、被撤回或已处理。',
    noFactor: '要批准请求，请先添加通行密钥或设置两步验证。',
    setUp: '设置',
  },
}
