"""What most games share: money, certificates, companies, the market, trains, phases, tokens, the map."""
