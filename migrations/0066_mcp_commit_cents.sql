-- Prices can exceed 2^31 cents; an MCP commit with such a price failed.
alter table mcp_commits alter column cents type bigint;
