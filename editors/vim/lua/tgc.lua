-- tgc lsp for the buffer at hand: one server for all of them.
local M = {}
local client

local function command()
  return vim.g.tgc_command or { 'tgc', 'lsp' }
end

function M.attach()
  if vim.lsp.start then -- Neovim 0.8
    vim.lsp.start({ name = 'tgc', cmd = command() })
    return
  end
  if not client or not vim.lsp.get_client_by_id(client) then
    client = vim.lsp.start_client({ name = 'tgc', cmd = command() })
  end
  if client then
    vim.lsp.buf_attach_client(0, client)
  end
end

return M
