-- Proof of display is kept as long as the house wants, and 90 days at least: the server cannot take
-- away what is younger, and what showed a notice stays for good.
CREATE INDEX display_old ON display USING brin (to_at);
CREATE FUNCTION forget_displays(before timestamptz, rows_max integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    forgotten bigint;
BEGIN
    IF before > now() - interval '90 days' THEN
        RAISE EXCEPTION 'proof of display is kept for 90 days at least'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    DELETE FROM display WHERE id IN (
        SELECT id FROM display WHERE kind = 'meter' AND to_at < before LIMIT rows_max
    );
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN forgotten;
END
$$;
REVOKE ALL ON FUNCTION forget_displays FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_displays TO prize_meter_app;
