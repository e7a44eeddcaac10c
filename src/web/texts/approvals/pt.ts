/** The sentences of the page for requests on the back channel, in Portuguese. */

export const approvalTexts = {
  approvals: {
    title: 'Pedidos que precisam da sua aprovação',
    none: 'Nada aguarda sua aprovação.',
    waiting: (count: number) => `Aplicativos aguardando sua aprovação: ${count}`,
    review: 'Analisar',
    asks: (name: string) => `${name} pede sua aprovação`,
    lead: (userName: string) => `O aplicativo pede o seguinte com sua conta ${userName}:`,
    message: 'Mensagem do aplicativo',
    until: 'Expira',
    warning: 'Aprove somente se você espera este pedido e a mensagem é a mesma que o aplicativo mostra.',
    approve: 'Aprovar',
    withPasskey: 'Aprovar com uma chave de acesso',
    proof: 'Para aprovar, confirme que é você.',
    refuse: 'Recusar',
    approved: 'Aprovado',
    approvedText: 'O aplicativo já pode continuar. Você pode fechar esta página.',
    refused: 'Recusado',
    refusedText: 'O aplicativo não recebe nada.',
    gone: 'Este pedido não está mais aguardando',
    goneText: 'Ele expirou, foi retirado ou já foi decidido.',
    noFactor: 'Para aprovar pedidos, primeiro adicione uma chave de acesso ou configure a verificação em duas etapas.',
    setUp: 'Configurar',
  },
}
